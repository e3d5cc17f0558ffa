import { expect, test } from 'vitest'
import { z } from 'zod'
import { badPlaces, type Issue } from './error-handler.ts'

const shape = z.union([
  z.strictObject({ name: z.string(), size: z.number(), parts: z.array(z.string()) }),
  z.strictObject({ address: z.string().max(5), isOn: z.boolean() }),
  z.number(),
])

function placesOf(schema: z.ZodType, value: unknown) {
  const issues = schema.safeParse(value).error?.issues ?? []
  return (issues as Issue[]).flatMap(badPlaces).map(({ path, message }) => ({ path: path.join('.'), message }))
}

test('a union of objects reports the faults of the variant that was meant', () => {
  expect(placesOf(shape, { address: 'too long', isOn: true })).toEqual([
    { path: 'address', message: 'Too big: expected string to have <=5 characters' },
  ])
  expect(placesOf(shape, { name: 'a', size: '1', parts: ['a', 2, 3] }).map(({ path }) => path)).toEqual([
    'size',
    'parts.1',
    'parts.2',
  ])
})

test('an unknown field is named, and makes another alternative no likelier', () => {
  expect(placesOf(shape, { address: 'short', isOn: true, colour: 'red' })).toEqual([
    { path: '', message: 'Unrecognized key: "colour"' },
  ])
})

test('paths include the parents of the union', () => {
  const nested = z.object({ list: z.array(z.object({ one: shape })) })
  expect(placesOf(nested, { list: [{ one: { address: 'short' } }] })).toEqual([
    { path: 'list.0.one.isOn', message: 'Invalid input: expected boolean, received undefined' },
  ])
})

test('a union of plain values keeps its own words', () => {
  const instant = z.union([z.iso.datetime(), z.iso.date()], { error: 'must be an instant' })
  expect(placesOf(z.object({ at: instant }), { at: 'soon' })).toEqual([{ path: 'at', message: 'must be an instant' }])
})
