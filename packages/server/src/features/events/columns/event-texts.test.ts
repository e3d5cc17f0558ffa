import { seededRandom } from '@benchwatch/samples/seeded-random'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dividedText, EventTexts, SortedTexts } from './event-texts.ts'

/** Letters of one, two and three bytes, in texts that often contain one another. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', 'ö', '流', ' '), maxLength: 8 })

test('a text has one number, however often it comes, and another one none of its own', () => {
  fc.assert(
    fc.property(fc.array(text), (given) => {
      const texts = new EventTexts()
      const numbers = given.map((one) => texts.numberOf(Buffer.from(one)))
      const distinct = [...new Set(given)]
      expect(texts.count).toBe(distinct.length)
      expect(numbers).toEqual(given.map((one) => distinct.indexOf(one)))
    }),
  )
})

test('a word is found in all texts that hold it and in no other', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text), text.filter(Boolean), (given, word) => {
      const texts = new EventTexts()
      for (const one of given) texts.numberOf(Buffer.from(one))
      const wanted = Buffer.from(word)
      expect([...texts.holding(wanted)]).toEqual(given.map((one) => (one.includes(word) ? 1 : 0)))
      expect(given.map((_, number) => texts.holds(number, wanted))).toEqual(given.map((one) => one.includes(word)))
    }),
  )
})

test('thousands of texts outgrow the first memory', () => {
  const texts = new EventTexts()
  const all = Array.from({ length: 5000 }, (_, index) => `pressure limit exceeded at step ${index}`)
  for (const one of all) texts.numberOf(Buffer.from(one))
  expect(texts.holding(Buffer.from('step 4999')).lastIndexOf(1)).toBe(4999)
  expect(texts.holding(Buffer.from('limit')).reduce((sum, one) => sum + one, 0)).toBe(5000)
  expect(all.map((one) => texts.numberOf(Buffer.from(one)))).toEqual(all.map((_, index) => index))
})

test('there is no number for a text without room', () => {
  const texts = new EventTexts(10)
  expect(texts.numberOf(Buffer.from('pressure'))).toBe(0)
  expect(texts.numberOf(Buffer.from('pump'))).toBeNull()
  expect(texts.numberOf(Buffer.from('pressure'))).toBe(0)
})

/** As the database gives it: a description and, after a line break, the user message. */
function divided(description: string, userMessage: string | null): Buffer {
  const text = userMessage === null ? description : `${description}\n${userMessage}`
  return dividedText(Buffer.from(text), Buffer.byteLength(description))
}

const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '!', 'ö', '\n', '\uffee', '\u{1f9ea}'), maxLength: 4 })

test('texts stand in the order of their descriptions by bytes, and the user message has no part in it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(line, fc.option(line))), (given) => {
      const texts = new EventTexts()
      const described: string[] = []
      for (const [description, message] of given) {
        described[texts.numberOf(divided(description, message)) ?? -1] = description
      }
      const byBytes = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
      const inOrder = [...texts.inOrder()]
      expect(inOrder.map((number) => described[number])).toEqual([...described].sort(byBytes))
      for (const a of inOrder) {
        for (const b of inOrder) expect(texts.haveSameDescription(a, b)).toBe(described[a] === described[b])
      }
    }),
  )
})

test('a description of two lines is another one than the first line with a user message', () => {
  const texts = new EventTexts()
  const numbers = [divided('a\nb', null), divided('a', 'b'), divided('a', null)].map((text) => texts.numberOf(text))
  expect(new Set(numbers).size).toBe(3)
  expect(texts.haveSameDescription(numbers[0] as number, numbers[1] as number)).toBe(false)
  expect(texts.haveSameDescription(numbers[1] as number, numbers[2] as number)).toBe(true)
  expect([...texts.holding(Buffer.from('b'))]).toEqual([1, 1, 0])
})

describe('sorted texts', () => {
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
})
