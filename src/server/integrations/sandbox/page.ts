import { html } from 'hono/html'
import { type GuideRow, lastNames, otherInputs, routes } from './guide.ts'

const table = (caption: string, rows: readonly GuideRow[]) => html`
  <table>
    <caption>${caption}</caption>
    ${rows.map(([input, effect]) => html`<tr><th scope="row">${input}</th><td>${effect}</td></tr>`)}
  </table>`

/** The sandbox's own page, for people who look at its port. */
export const page = () => html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Sandbox</title>
<style>body{font:1rem/1.5 system-ui;margin:2rem;max-width:60rem}th{text-align:start;font-family:monospace;padding-inline-end:2rem}caption{text-align:start;font-weight:bold;padding-block:1rem .5rem}</style>
<h1>Sandbox</h1>
<p>Stands in for the third parties. Nothing leaves this machine. <a href="/ledger">Leads received</a></p>
${table('Routes', routes)}
${table('Last names that ask the distributor for a fault', lastNames)}
${table('Other inputs', otherInputs)}
</html>`
