export const jobPath = (id: string): string => `/jobs/${encodeURIComponent(id)}`
