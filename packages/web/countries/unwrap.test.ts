import { expect, test } from 'vitest'
import { polygonsOnMap, unwrapRing } from './unwrap.ts'

test('a ring that crosses the date line continues beyond it instead of jumping across the map', () => {
  const chukotka = [
    [178, 65],
    [-170, 66],
    [-170, 64],
    [178, 65],
  ]
  expect(unwrapRing(chukotka)).toEqual([
    [178, 65],
    [190, 66],
    [190, 64],
    [178, 65],
  ])
})

test('a ring that begins in the west continues to the west', () => {
  expect(
    unwrapRing([
      [-179, -17],
      [179, -17],
      [-179, -16],
    ]),
  ).toEqual([
    [-179, -17],
    [-181, -17],
    [-179, -16],
  ])
})

test('a ring that stays on one side is left alone, also along the line itself', () => {
  const ring = [
    [170, 10],
    [180, 10],
    [180, 20],
    [170, 10],
  ]
  expect(unwrapRing(ring)).toEqual(ring)
  expect(polygonsOnMap([ring])).toEqual([[ring]])
})

test('what lies beyond one edge of the map is drawn at the other, too', () => {
  const ring = [
    [170, 0],
    [-170, 0],
    [-170, 10],
    [170, 0],
  ]
  const [east, west] = polygonsOnMap([ring])
  expect(east?.[0]?.map(([longitude]) => longitude)).toEqual([170, 190, 190, 170])
  expect(west?.[0]?.map(([longitude]) => longitude)).toEqual([-190, -170, -170, -190])
})
