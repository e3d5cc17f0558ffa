import type { LogHit } from '@benchwatch/contract/logs'
import { expect, it } from 'vitest'
import { densityOf, type PlacedLine } from './compare-lines.ts'

const hit = {} as LogHit
const first = (at: number): PlacedLine => ({ side: 'first', at, hit })
const second = (at: number): PlacedLine => ({ side: 'second', at, hit })

it('counts the lines of each log by equal lengths of time, its ends among them', () => {
  const lines = [first(0), first(1), first(2), first(3), second(60), first(100)]
  expect(densityOf(lines, { eventAt: null, bins: 2 })).toEqual({ from: 0, to: 100, first: [1, 0.5], second: [0, 0.5] })
})

it('reaches to the event', () => {
  expect(densityOf([first(0)], { eventAt: 50, bins: 1 })).toMatchObject({ from: 0, to: 50 })
})

it.each([[[]], [[first(7), second(7)]]])('is none where there is no extent', (lines) => {
  expect(densityOf(lines, { eventAt: null, bins: 4 })).toBeNull()
})
