import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectNoObjections } from '../../look.ts'

test('two events are claimed and the claims undone, one is closed by keys, and the palette opens an instrument', async ({
  pageOf,
  alarms,
  product,
}) => {
  const instrument = await instrumentBehind(product, alarms.gateway)
  const word = await alarms.raiseMany(instrument, { count: 2, words: 'Flow cell leaks' })
  const page = await pageOf('service')
  await page.goto(`/events?keyword=${word}`)
  const rows = page.locator('tbody tr[data-row]')
  const inStatus = (name: string) => rows.filter({ has: page.getByRole('img', { name, exact: true }) })
  await expect(rows).toHaveCount(2)

  for (const place of [0, 1]) {
    await rows.nth(place).hover()
    await rows
      .nth(place)
      .getByRole('button', { name: /^Assign to me ORC-/ })
      .click()
    await expect(page.getByRole('alert')).toHaveCount(place + 1)
    // Behind each other, messages don't reach the title of an event.
    const heights = () => page.getByRole('alert').evaluateAll(heightOfAll)
    await expect.poll(async () => (await heights()).together).toBeLessThan(1.5 * (await heights()).tallest)
    // The messages, and the offers to undo in them, stay while the pointer is over them.
    await page.getByRole('alert').first().hover()
  }
  await expect(inStatus('In progress')).toHaveCount(2)
  await page.keyboard.press('z')
  await expect(inStatus('New')).toHaveCount(1)
  await page.keyboard.press('z')
  await expect(inStatus('New')).toHaveCount(2)

  // The second row has the focus.
  await page.keyboard.press('a')
  await expect(inStatus('In progress')).toHaveCount(1)
  await page.keyboard.press('c')
  const dialog = page.getByRole('dialog', { name: /^Close event ORC-/ })
  await dialog.getByLabel('Reason').selectOption('Duplicate event')
  // One Escape closes one thing: the dialog, then the selection.
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await page.keyboard.press('x')
  const bar = page.getByRole('region', { name: 'Selected events' })
  await expect(bar).toBeVisible()
  await page.keyboard.press('c')
  await expect(dialog.getByLabel('Reason')).toHaveValue('Duplicate event')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(bar).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(bar).toHaveCount(0)
  await page.keyboard.press('c')
  await dialog.getByRole('button', { name: 'Close event' }).click()
  await expect(inStatus('Closed')).toHaveCount(1)
  // A live message may show this before the dialog has its answer, and keys belong to an open dialog.
  await expect(dialog).toHaveCount(0)

  // A key that is pressed while the palette still loads is for the palette, not for the page.
  const isPressed = Promise.withResolvers<void>()
  await page.route(/\/command-palette-/, async (route) => {
    await isPressed.promise
    await route.continue()
  })
  await page.keyboard.press('Control+k')
  await page.keyboard.press('?')
  isPressed.resolve()
  const palette = page.getByRole('combobox', { name: /^Action, event number/ })
  await expect(palette).toHaveValue('?')
  await palette.fill(instrument)
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toHaveCount(0)
  await expect(page.getByRole('option', { name: new RegExp(instrument) })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(new RegExp(`/instruments/${instrument}`))

  // The button in the header, which shows the key, offers the actions of the page.
  await page.goBack()
  await page.getByRole('button', { name: 'Search and actions' }).click()
  await expect(page.getByRole('listbox', { name: 'Results' }).getByRole('option').first()).toBeVisible()
  await expectNoObjections(page)
  await palette.fill('export')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Export' })).toBeVisible()
})

function heightOfAll(elements: Element[]) {
  const boxes = elements.map((element) => element.getBoundingClientRect())
  const together = Math.max(...boxes.map((box) => box.bottom)) - Math.min(...boxes.map((box) => box.top))
  return { together, tallest: Math.max(...boxes.map((box) => box.height)) }
}
