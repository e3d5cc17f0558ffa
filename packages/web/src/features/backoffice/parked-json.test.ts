import { expect, it } from 'vitest'
import { jsonProblem, readableJson } from './parked-json.ts'

it('an item is shown in lines of its own; what is no JSON as it came', () => {
  expect(readableJson('{"id":"a-1","data":{}}')).toBe('{\n  "id": "a-1",\n  "data": {}\n}')
  expect(readableJson('{"id":')).toBe('{"id":')
})

it('an item that is empty or no JSON is not sent', () => {
  expect(jsonProblem('{"id":"a-1"}')).toBeNull()
  expect(jsonProblem(' ')).toBe('Item cannot be empty.')
  expect(jsonProblem('{"id":')).toMatch(/^This is not valid JSON: /)
})
