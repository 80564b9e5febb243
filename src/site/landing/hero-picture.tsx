import type { ReactNode } from 'react'
import type { Area } from '#domain/area.ts'

/** The hero's picture, drawn in the area's colors. */
export function HeroPicture({ area, alt }: { area: Area; alt: string }) {
  return (
    <svg viewBox="0 0 640 320" role="img" aria-label={alt} fill="none">
      <title>{alt}</title>
      <rect width="640" height="320" fill="var(--tint)" />
      <circle cx="500" cy="96" r="56" fill="var(--accent)" opacity=".18" />
      {motifs[area]}
      <path d="M0 284q160-40 320-14t320-18v68H0z" fill="var(--accent)" opacity=".22" />
    </svg>
  )
}

const motifs: Record<Area, ReactNode> = {
  general: (
    <g fill="var(--accent)">
      <path d="M140 250V120h8v130zM96 120h96l-18-50h-60z" opacity=".8" />
      <path
        d="M260 250c40-24 84-24 110 0 26-24 70-24 110 0v-92c-40-22-84-22-110 2-26-24-70-24-110-2z"
        opacity=".55"
      />
      <path d="M366 162h8v92h-8z" />
    </g>
  ),
  business: (
    <g fill="var(--accent)">
      <path
        d="M90 270V150h70v120zM180 270V100h80v170zM280 270V130h70v140zM370 270V80h80v190zM470 270V170h70v100z"
        opacity=".45"
      />
      <path d="m84 216 100-56 90 26 120-92 130-30-1 14-124 28-122 94-90-26-96 54z" />
    </g>
  ),
  education: (
    <g fill="var(--accent)">
      <path d="M80 70h280v150H80z" opacity=".7" />
      <path d="M420 246h140v18H420zM430 224h120v18H430zM440 202h100v18H440z" opacity=".8" />
      <circle cx="490" cy="150" r="44" opacity=".45" />
      <path d="M110 110h160v6H110zM110 140h120v6H110zM110 170h190v6H110z" fill="var(--paper)" />
    </g>
  ),
  healthcare: (
    <g fill="var(--accent)">
      <path
        d="M320 250c-110-66-130-112-112-146 20-38 82-36 112 12 30-48 92-50 112-12 18 34-2 80-112 146z"
        opacity=".6"
      />
      <path d="M120 180h120l20-44 34 84 26-60 14 20h186v10H328l-8-12-28 64-34-84-12 32H120z" />
    </g>
  ),
  technology: (
    <g fill="var(--accent)" stroke="var(--accent)" strokeWidth="3">
      <path
        d="m110 210 100-90 110 60 100-110 120 80M210 120l110-60 100 10M320 180l120 60 100-90"
        fill="none"
        opacity=".6"
      />
      <circle cx="110" cy="210" r="12" />
      <circle cx="210" cy="120" r="16" />
      <circle cx="320" cy="180" r="20" />
      <circle cx="420" cy="70" r="14" />
      <circle cx="540" cy="150" r="18" />
      <circle cx="320" cy="60" r="9" />
      <circle cx="440" cy="240" r="11" />
    </g>
  ),
}
