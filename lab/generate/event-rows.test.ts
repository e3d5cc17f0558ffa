import { instrumentTypes } from '@benchwatch/samples/equipment/instrument-type'
import { expect, test } from 'vitest'
import { eventRows, FIRST_ID, type RegisteredFleet, YEARS_MS } from './event-rows.ts'
import { componentNames } from './event-texts.ts'

const now = Date.parse('2026-11-20T14:00:00Z')
const fleet: RegisteredFleet = {
  instruments: Array.from({ length: 400 }, (_, index) => ({
    id: index + 1,
    installedProductId: `IP-${index}`,
    type: instrumentTypes[index % instrumentTypes.length] ?? 'Wave25',
    gatewayId: (index % 40) + 1,
    siteId: (index % 40) + 1,
    customerId: (index % 20) + 1,
    fullSupport: index % 3 === 0,
  })),
  owners: [11, 12, 13],
  components: new Map(componentNames().map((name, index) => [name, index + 1])),
}
const make = (count: number, seed = 'test') => [...eventRows({ count, now, seed, fleet })]
const rows = make(20_000)

test('the same seed creates the same events, another one different events', () => {
  expect(make(300)).toEqual(make(300))
  expect(make(300, 'other')).not.toEqual(make(300))
})

test('events come in the order of their ids and times, over three years up to now', () => {
  expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: rows.length }, (_, index) => FIRST_ID + index))
  const times = rows.map(({ createdAt }) => createdAt)
  expect(times).toEqual([...times].sort((a, b) => a - b))
  expect(times[0]).toBeGreaterThanOrEqual(now - YEARS_MS)
  expect(times[0]).toBeLessThan(now - YEARS_MS * 0.99)
  expect(times.at(-1)).toBeLessThanOrEqual(now)
  expect(times.at(-1)).toBeGreaterThan(now - YEARS_MS / 1000)
})

test('nearly all are closed, and what is closed has a reason, an owner and a time', () => {
  const closed = rows.filter(({ alertStatus }) => alertStatus === 3)
  expect(closed.length / rows.length).toBeGreaterThan(0.97)
  for (const row of rows) {
    const isClosed = row.alertStatus === 3
    expect([row.reasonClosed !== null, row.closedAt !== null]).toEqual([isClosed, isClosed])
    expect(row.claimedBy === null).toBe(row.alertStatus === 1)
    expect(Math.max(row.lastActionAt, row.closedAt ?? 0, row.clearedAt ?? 0)).toBeLessThanOrEqual(now)
    expect(row.lastActionAt).toBeGreaterThanOrEqual(row.createdAt)
  }
})

test('no alarm has two events that are open and not cleared', () => {
  const open = rows.filter(
    ({ alertStatus, clearedAt, isEdgeIssue }) => alertStatus !== 3 && clearedAt === null && !isEdgeIssue,
  )
  const alarms = open.map(({ instrumentId, templateId, componentId }) => `${instrumentId} ${templateId} ${componentId}`)
  expect(open.length).toBeGreaterThan(20)
  expect(new Set(alarms).size).toBe(alarms.length)
})

test('an edge issue is about a gateway, everything else about an instrument and one of its components', () => {
  for (const row of rows) {
    expect([row.instrumentId === null, row.componentId === null]).toEqual([row.isEdgeIssue, row.isEdgeIssue])
  }
  expect(rows.some(({ isEdgeIssue }) => isEdgeIssue)).toBe(true)
})

test('an instrument has some twenty components and not all there are', () => {
  const components = new Set(
    rows.filter(({ instrumentId }) => instrumentId === 7).map(({ componentId }) => componentId),
  )
  const seen = new Set(rows.map(({ instrumentId, componentId }) => `${instrumentId} ${componentId}`))
  expect(components.size).toBeLessThan(40)
  expect(seen.size).toBeLessThan(fleet.instruments.length * 40)
})

test('a tenth of the instruments makes more than a quarter of the events', () => {
  const counts = new Map<number | null, number>()
  for (const { instrumentId } of rows) counts.set(instrumentId, (counts.get(instrumentId) ?? 0) + 1)
  const sorted = [...counts.values()].sort((a, b) => b - a)
  const noisiest = sorted.slice(0, 40).reduce((sum, count) => sum + count, 0)
  expect(noisiest / rows.length).toBeGreaterThan(0.25)
})

test('the folded text is that of description and user message, without capitals and marks', () => {
  for (const { folded, description, userMessage } of rows.slice(0, 500)) {
    const text = userMessage === null ? description : `${description}\n${userMessage}`
    expect(folded).toBe(text.toLowerCase().normalize('NFKD').replace(/\p{M}/gu, ''))
  }
})
