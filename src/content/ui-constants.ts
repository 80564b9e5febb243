/** Section 9, "UI timings" (ruling 21). Milliseconds and CSS pixels. */
export const toastLifeMs = 3000
