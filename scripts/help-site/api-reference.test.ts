import { describe, expect, it } from 'vitest'
import { fieldsOf, noteOf, type Schema, typeOf } from './api-reference.ts'

const problem: Schema = { type: 'object', properties: { code: { type: 'string' } } }
const find = () => problem
const whole = (part: Schema) => (part.$ref === undefined ? part : problem)

describe('what a value is', () => {
  it.each<[Schema, string]>([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date-time' }, 'instant'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'whole number or null'],
    [{ type: 'array', items: { enum: ['high', 'low'] } }, 'list of "high" | "low"'],
    [{ type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }] }, '[number, text]'],
    [{ const: 'ok' }, '"ok"'],
    [{ $ref: '#/components/schemas/Problem' }, 'object'],
    [{}, 'anything'],
  ])('%j is %s', (schema, words) => expect(typeOf(schema, whole)).toBe(words))
})

describe('the fields of a body', () => {
  it('are listed with their path, following lists and references', () => {
    const schema: Schema = {
      type: 'object',
      required: ['values'],
      properties: {
        values: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        error: { $ref: '#/components/schemas/Problem' },
      },
    }
    expect(fieldsOf(schema, find).map(({ path, type, note }) => [path, type, note])).toEqual([
      ['values', 'list of object', 'required'],
      ['values[].id', 'text', ''],
      ['error', 'object', ''],
      ['error.code', 'text', ''],
    ])
  })

  it('of alternatives are listed once', () => {
    const one: Schema = { type: 'object', properties: { a: { type: 'string' } } }
    const other: Schema = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } }
    expect(fieldsOf({ anyOf: [one, other, { type: 'null' }] }, find).map(({ path }) => path)).toEqual(['a', 'b'])
  })
})

it('limits are said in words; those of the machine alone are not', () => {
  expect(noteOf({ type: 'string', maxLength: 40 }, true)).toBe('required, at most 40 characters')
  expect(noteOf({ type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER, default: 20 }, false)).toBe(
    'default 20, from 1',
  )
})
