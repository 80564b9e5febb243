import { join } from 'node:path'
import type { Browser } from '@playwright/test'
import { buildBarePage } from '../bare-page/build-bare-page.ts'
import { serveBareForm } from '../bare-page/serve-bare-form.ts'
import type { Bench } from '../bench.ts'
import { quantity, ratioFigure } from '../figure.ts'
import { median } from '../median.ts'
import { serve } from '../served/serve.ts'
import { typeAtFirstPaint } from './first-field.ts'
import { untilHydrated, watchHydration } from './hydration.ts'
import { onPhone } from './phone.ts'

export const slowPhone: Bench = {
  name: 'slow-phone',
  title: 'A slow phone',
  async measure({ product, browser, folder, runs }) {
    const bareFiles = await buildBarePage('hydrate-and-tell.ts', join(folder, 'bare-that-tells'))
    const bare = await serve((path) => bareFiles.get(path))
    const bareForm = await serveBareForm(product.url, join(folder, 'bare-form'))
    const samples = { field: [], paint: [], ours: [], bare: [], bareForm: [] } as Record<
      'field' | 'paint' | 'ours' | 'bare' | 'bareForm',
      number[]
    >
    let early = 0
    try {
      for (let run = 0; run < runs; run++) {
        const typing = await typeAtFirstPaint(browser, product.url)
        const { paintedAt, acceptedAt } = typing
        if (typing.isBeforeHydration) early++
        samples.paint.push(paintedAt)
        samples.field.push(acceptedAt)
        samples.ours.push(await hydration(browser, product.url))
        samples.bare.push(await hydration(browser, bare.url))
        samples.bareForm.push(await hydration(browser, bareForm.url))
      }
    } finally {
      await bare.stop()
      await bareForm.stop()
    }
    return [
      ratioFigure({
        name: 'first field seen and keeping what is typed, slow phone',
        ours: median(samples.field),
        measured: `${quantity(median(samples.field), 'ms')}, before React in ${early} of ${runs} runs,`,
        reference: median(samples.paint),
        ratio: median(samples.field.map((ms, run) => ms / (samples.paint[run] ?? Number.NaN))),
        against: "page's own first paint",
        unit: 'ms',
        limit: { atMost: 1.05 },
        samples: { field: samples.field, paint: samples.paint },
      }),
      ratioFigure({
        name: 'hydrated, slow phone, untouched',
        ours: median(samples.ours),
        reference: median(samples.bare),
        against: 'bare hydrateRoot page',
        unit: 'ms',
        limit: { atMost: 1.15 },
        samples: { ours: samples.ours, bare: samples.bare },
      }),
      ratioFigure({
        name: 'hydrated, slow phone, against React alone with a form of that size',
        ours: median(samples.ours),
        reference: median(samples.bareForm),
        against: 'the same page and form, hydrated by React alone',
        unit: 'ms',
        limit: { atMost: 1.05 },
        samples: { ours: samples.ours, bareForm: samples.bareForm },
      }),
    ]
  },
}

const hydration = (browser: Browser, url: string): Promise<number> =>
  onPhone(browser, { cpu: true, network: true }, async (page) => {
    await watchHydration(page)
    await page.goto(url)
    return untilHydrated(page)
  })
