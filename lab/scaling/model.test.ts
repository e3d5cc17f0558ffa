import { expect, test } from 'vitest'
import { plan, scalingTable } from './model.ts'
import { tableOnPage } from './run-scaling.ts'

test('docs/scaling.md shows what the model computes; npm run lab -- scaling --write writes it', () => {
  expect(tableOnPage()).toBe(scalingTable())
})

test('a small site needs one server, and every larger one can lose one', () => {
  expect(plan(400)).toMatchObject({ servers: 1, clickhousePerYear: 0, hasNats: false })
  expect(plan(401).servers).toBe(2)
})

test('what takes over is part of the plan, and its limit is no bottleneck any more', () => {
  const before = plan(5000)
  const after = plan(10_000)
  expect(before.bottlenecks).toMatchObject([{ name: 'log lines in PostgreSQL', takesOver: 'ClickHouse', used: 1 }])
  expect(after.clickhousePerYear).toBeGreaterThan(before.clickhousePerYear)
  expect(after.bottlenecks.map(({ takesOver }) => takesOver)).not.toContain('ClickHouse')
  expect(after.databasePerYear).toBeLessThan(before.databasePerYear)
})

test('limits without a successor are named when they are passed, the most exceeded one first', () => {
  const { bottlenecks } = plan(1_000_000)
  expect(bottlenecks.length).toBeGreaterThan(1)
  expect(bottlenecks.every(({ used }) => used > 1)).toBe(true)
  expect(bottlenecks.map(({ used }) => used)).toEqual(bottlenecks.map(({ used }) => used).toSorted((a, b) => b - a))
  expect(plan(50_000).bottlenecks).toHaveLength(1)
})

test('more instruments never need less', () => {
  const plans = [400, 1000, 5000, 50_000, 200_000, 1_000_000].map(plan)
  for (const [at, larger] of plans.entries()) {
    const smaller = plans[at - 1]
    if (!smaller) continue
    expect(larger.servers).toBeGreaterThanOrEqual(smaller.servers)
    expect(larger.databaseCores).toBeGreaterThanOrEqual(smaller.databaseCores)
    expect(larger.databasePerYear + larger.clickhousePerYear).toBeGreaterThan(
      smaller.clickhousePerYear > 0 ? smaller.databasePerYear + smaller.clickhousePerYear : 0,
    )
  }
})
