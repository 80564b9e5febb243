import { say } from '../../scripts/setup/machine.mjs'
import type { Bench } from '../bench.ts'
import { type Figure, plainFigure, quantity, ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { serveWithoutScripts } from '../served/serve-without-scripts.ts'
import { type Audit, Auditor, categories } from './lighthouse-run.ts'
import { landingPages, legalPages } from './pages.ts'

export const lighthouse: Bench = {
  name: 'lighthouse',
  title: 'Lighthouse',
  async measure(workshop) {
    const { product, runs } = workshop
    const auditor = new Auditor(workshop)
    const ours: Audit[] = []
    const still: Audit[] = []
    const withoutScripts = await serveWithoutScripts(product.url)
    try {
      for (let run = 0; run < runs; run++) {
        ours.push(await auditor.audit(`${product.url}/`))
        still.push(await auditor.audit(`${withoutScripts.url}/`))
      }
    } finally {
      await withoutScripts.stop()
    }
    const pages = new Map([['/', ours]])
    for (const path of [...landingPages, ...legalPages].filter((path) => !pages.has(path))) {
      const audits: Audit[] = []
      for (let run = 0; run < runs; run += 2) audits.push(await auditor.audit(product.url + path))
      pages.set(path, audits)
    }
    if (auditor.lost > 0) {
      say(`${auditor.lost} of Lighthouse's visits measured nothing and were paid again.`)
    }
    return [...paintFigures(ours, still), ...categories.map((name) => worstScore(name, pages))]
  },
}

function paintFigures(ours: readonly Audit[], still: readonly Audit[]): Figure[] {
  const lcp = ours.map((one) => one.lcp)
  const stillLcp = still.map((one) => one.lcp)
  const cls = ours.map((one) => one.cls)
  const tbt = ours.map((one) => one.tbt)
  const ownTbt = ours.map((one) => one.ownTbt)
  return [
    ratioFigure({
      name: 'LCP, Lighthouse mobile',
      ours: median(lcp),
      reference: median(stillLcp),
      against: 'the same page without scripts',
      unit: 'ms',
      limit: { atMost: 1.1 },
      samples: { ours: lcp, withoutScripts: stillLcp },
    }),
    plainFigure({
      name: 'CLS, Lighthouse mobile',
      value: median(cls),
      unit: '',
      limit: { atMost: 0.001 },
      samples: { cls },
    }),
    plainFigure({
      name: 'TBT, Lighthouse mobile',
      value: median(tbt),
      unit: 'ms',
      limit: { atMost: 50 },
      samples: { tbt },
    }),
    plainFigure({
      name: 'TBT of what the page itself works, without waiting',
      value: median(ownTbt),
      unit: 'ms',
      limit: { atMost: 50 },
      samples: { ownTbt },
    }),
  ]
}

function worstScore(
  category: (typeof categories)[number],
  pages: ReadonlyMap<string, readonly Audit[]>,
): Figure {
  const scores = [...pages].map(([path, audits]) => ({
    path,
    score: median(audits.map((one) => one.scores[category])),
  }))
  const lowest = Math.min(...scores.map(({ score }) => score))
  const where = scores
    .filter(({ score }) => score < 100)
    .map(({ path, score }) => `${path} ${score}`)
  const words = where.length === 0 ? `every one of ${scores.length} pages` : where.join(', ')
  return plainFigure({
    name: `Lighthouse ${category}, every page`,
    value: lowest,
    measured: `${quantity(lowest, '')} (${words})`,
    unit: '',
    limit: { atLeast: 100 },
  })
}
