import { seededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SortedTexts } from './sorted-texts.ts'

test('numbers stand in the order of their texts at every moment', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string({ maxLength: 3 })), (texts) => {
      const sorted = new SortedTexts((a, b) => ((texts[a] as string) < (texts[b] as string) ? -1 : 1))
      texts.forEach((_, number) => {
        sorted.add(number)
        const known = texts.slice(0, number + 1)
        expect([...sorted.inOrder()].map((one) => texts[one])).toEqual([...known].sort())
      })
    }),
  )
})

test.each([
  ['as they come', (index: number) => index],
  ['from the last one', (index: number) => -index],
  ['in no order', () => random.next()],
])('thousands of them, %s, outgrow one leaf after the other', (_, valueAt) => {
  const values = Array.from({ length: 5000 }, (_unused, index) => valueAt(index))
  const sorted = new SortedTexts((a, b) => (values[a] as number) - (values[b] as number))
  values.forEach((_value, number) => {
    sorted.add(number)
  })
  const inOrder = [...sorted.inOrder()]
  expect(new Set(inOrder).size).toBe(5000)
  expect(inOrder.map((number) => values[number])).toEqual([...values].sort((a, b) => a - b))
})

const random = seededRandom('sorted')
