import { expect, test } from 'vitest'
import { cutLine, cutRing, projected, WORLD_UNITS } from './squares.ts'

const SIDE = WORLD_UNITS / 64

test('the world is projected as street maps are', () => {
  expect(projected([0, 0])).toEqual([WORLD_UNITS / 2, WORLD_UNITS / 2])
  const [x = 0, y = 0] = projected([18.07, 59.33])
  // Stockholm lies in tile 6/35/18.
  expect([Math.floor(x / SIDE), Math.floor(y / SIDE)]).toEqual([35, 18])
})

test('a ring that lies in two squares is cut beyond the edge between them, so that its outline is not seen there', () => {
  const ring = [
    [SIDE - 100, 100],
    [SIDE + 100, 100],
    [SIDE + 100, 200],
    [SIDE - 100, 200],
    [SIDE - 100, 100],
  ]
  const pieces = cutRing(ring)
  expect(pieces.map(({ square }) => square)).toEqual(['0,0', '1,0'])
  expect(extent(pieces[0]?.path)).toEqual([SIDE - 100, SIDE + 24])
  expect(extent(pieces[1]?.path)).toEqual([-24, 100])
})

test('a ring around a whole square fills it', () => {
  const ring = [
    [0, 0],
    [3 * SIDE, 0],
    [3 * SIDE, 3 * SIDE],
    [0, 3 * SIDE],
    [0, 0],
  ]
  const middle = cutRing(ring).find(({ square }) => square === '1,1')
  expect(extent(middle?.path)).toEqual([-24, SIDE + 24])
})

test('each piece begins at a point of its square, wherever the piece before it ended', () => {
  const island = (x: number) => [
    [x, 0],
    [x + 9, 0],
    [x + 9, 9],
    [x, 0],
  ]
  expect([500, 700].flatMap((x) => cutRing(island(x))).map(({ path }) => path)).toEqual([
    'M500,0l9,0 0,9 -9,-9z',
    'M700,0l9,0 0,9 -9,-9z',
  ])
})

test('a line that leaves a square and comes back is drawn in two strokes there', () => {
  const line = [
    [100, 100],
    [2 * SIDE, 100],
    [2.5 * SIDE, 100],
    [2.5 * SIDE, 200],
    [2 * SIDE, 200],
    [100, 200],
  ]
  const pieces = cutLine(line)
  expect(pieces.filter(({ square }) => square === '0,0')).toHaveLength(2)
  expect(pieces.filter(({ square }) => square === '2,0')).toHaveLength(1)
})

/** Returns the smallest and largest x of a path. */
function extent(path = ''): [number, number] {
  let x = 0
  const all = path
    .replace(/[Mz]/g, '')
    .split(/[l ]/)
    .map((step) => {
      x += Number(step.split(',')[0])
      return x
    })
  return [Math.min(...all), Math.max(...all)]
}
