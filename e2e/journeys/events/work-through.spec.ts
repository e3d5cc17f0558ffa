import { expect, test } from '../../fixtures.ts'
import { instrumentBehind } from '../../fleet.ts'
import { expectGoodLook } from '../../look.ts'

test('work through three events of a filtered list by keyboard alone: claim, read, close with a case number, next', async ({
  pageOf,
  alarms,
  product,
}) => {
  const instrument = await instrumentBehind(product, alarms.gateway)
  const word = `desk${crypto.randomUUID().slice(0, 6)}`
  for (const name of ['First', 'Second', 'Third']) await alarms.raise(instrument, { words: `${name} ${word}` })
  const page = await pageOf('support')
  await page.goto(`/events?keyword=${word}&alertStatus=1_NEW,2_IN_PROGRESS`)
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(3)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')

  const pager = page.getByRole('navigation', { name: 'Events of the list' })
  for (const [index, name] of ['Third', 'Second', 'First'].entries()) {
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
    await expect(pager).toContainText(`${index + 1} of 3`)
    const number = `0123456${index + 7}`
    await page.keyboard.press('a')
    if (index === 0) {
      await expect(page.getByRole('button', { name: 'Owner: Me' })).toBeVisible()
      await page.keyboard.press('c')
      await expect(page.getByLabel('Reason')).toBeFocused()
      await page.keyboard.press('s')
      await page.keyboard.type(number)
      await page.keyboard.press('Enter')
    } else {
      // Users who know the keys do not wait for the server between them.
      await expect(page.getByRole('button', { name: 'Close event…' })).not.toHaveAttribute('aria-disabled')
      await Promise.all(['c', 's', ...number, 'Enter'].map((key) => page.keyboard.press(key)))
    }
    await expect(page.getByRole('region', { name: 'How it was closed' })).toContainText(number)
    // A live message may show this before the dialog has its answer, and keys belong to an open dialog.
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await page.keyboard.press('j')
  }
  // The last one has no next.
  await expect(page.getByRole('heading', { level: 1 })).toContainText('First')
  await page.keyboard.press('k')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Second')
  await expect(pager).toContainText('2 of 3')
  await page.keyboard.press('u')
  await expect(page.getByTestId('totals')).toContainText('0 events')
})

test('the list continues beyond the end of its page, although events have left it', async ({
  pageOf,
  alarms,
  product,
}) => {
  const instrument = await instrumentBehind(product, alarms.gateway)
  const word = `page${crypto.randomUUID().slice(0, 6)}`
  const order = Array.from({ length: 14 }, (_, index) => `Number ${index + 1} ${word}`)
  for (const words of order.toReversed()) await alarms.raise(instrument, { words })
  const page = await pageOf('support')
  // A neighbour that is known only two seconds after the key no longer opens, and a slow machine may take that long.
  await page.clock.setFixedTime(Date.now())
  const title = page.getByRole('heading', { level: 1 })
  await page.goto(`/events?keyword=${word}&alertStatus=1_NEW`)
  await expect(page.locator('tbody tr[data-row]')).toHaveCount(12)
  await page.keyboard.press('j')
  await page.keyboard.press('Enter')
  await expect(title).toContainText('Number 1 ')
  // A taken event is no longer New, so it leaves the list.
  await page.keyboard.press('a')
  await expect(page.getByRole('button', { name: 'Owner: Me' })).toBeVisible()
  for (let number = 2; number <= 14; number += 1) {
    await page.keyboard.press('j')
    await expect(title).toContainText(`Number ${number} `)
  }
  await expect(page.getByRole('navigation', { name: 'Events of the list' })).toContainText('14 of 14')
})

test('Escape closes one thing at a time, and the bar stays in sight', async ({ pageOf, alarms, product }) => {
  const instrument = await instrumentBehind(product, alarms.gateway)
  const { description } = await alarms.raise(instrument, { words: 'Bar in sight' })
  const page = await pageOf('support')
  // A second Escape belongs to the dialog for 600 ms, which a slow machine may take for the first.
  await page.clock.setFixedTime(Date.now())
  await page.goto(`/events?keyword=${description.slice(-6)}`)
  await page.getByRole('link', { name: /^ORC-\d+$/ }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText(description)
  await page.keyboard.press('l')
  await expect(page.getByRole('dialog', { name: 'View Logs' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Escape')
  await expect(page).toHaveURL(/\/events\/\d+/)
  await expect(page.getByRole('button', { name: 'View Logs' })).toBeFocused()
  const action = page.getByRole('button', { name: 'Assign to me' })
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await page.getByRole('region', { name: 'History' }).scrollIntoViewIfNeeded()
    await expect(action).toBeInViewport({ ratio: 1 })
  }
  await expectGoodLook(page, 'event-bar')
})
