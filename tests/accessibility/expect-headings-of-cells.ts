import { expect, type Page } from '@playwright/test'

/** A phone, on which the console's tables show their rows as blocks; 320 pixels wide, they have the same layout. */
const phone = { width: 375, height: 667 }

/**
 * Expects that assistive technology finds for each cell the heading that the page shows. It counts the cells of a row,
 * so a cell that is missing in the accessibility tree would shift the headings of later cells (WCAG 1.3.1).
 */
export async function expectHeadingsOfCells(page: Page, screen: string) {
  if ((await page.locator('td[data-heading]').count()) === 0) return
  const before = page.viewportSize()
  await page.setViewportSize(phone)
  await hideOtherTables(page, true)
  const rows = await rowsInAccessibilityTree(page)
  await hideOtherTables(page, false)
  const shown = await page.evaluate(() =>
    [...document.querySelectorAll('tr:has(> td[data-heading])')]
      .filter((row) => row.checkVisibility())
      .map((row) =>
        [...row.querySelectorAll<HTMLElement>('td:not([hidden])')].map(
          (cell) => cell.dataset.heading ?? '',
        ),
      ),
  )
  expect(sortRows(rows), screen).toEqual(sortRows(shown))
  if (before) await page.setViewportSize(before)
}

/** Tables without headings of cells look the same on a phone. */
const hideOtherTables = (page: Page, isHidden: boolean) =>
  page.evaluate(
    (value) => {
      for (const table of document.querySelectorAll('table:not(:has(td[data-heading]))'))
        table.ariaHidden = value
    },
    isHidden ? 'true' : null,
  )

/** The accessibility tree lists several tables in its own order. */
const sortRows = (rows: readonly (readonly string[])[]): readonly string[] =>
  rows.map((row) => row.join(' | ')).toSorted()

/** By row, the heading of each cell's column, and whether it is the cell's own, read from Chromium's accessibility tree. */
async function rowsInAccessibilityTree(page: Page): Promise<readonly (readonly string[])[]> {
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  await devtools.detach()
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  type Node = (typeof nodes)[number]
  const roleOf = (node: Node) => String(node.role?.value)
  const within = (node: Node, roles: readonly string[]): Node[] =>
    (node.childIds ?? [])
      .flatMap((id) => byId.get(id) ?? [])
      .flatMap((child) =>
        roles.includes(roleOf(child)) && !child.ignored ? [child] : within(child, roles),
      )
  return nodes
    .filter((node) => roleOf(node) === 'table' && !node.ignored)
    .flatMap((table) => {
      const [head, ...body] = within(table, ['row'])
      const headings = head === undefined ? [] : within(head, ['columnheader'])
      return body.map((row) =>
        within(row, ['cell', 'gridcell']).map((_, place) =>
          String(headings[place]?.name?.value ?? 'none'),
        ),
      )
    })
}
