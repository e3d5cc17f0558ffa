import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type CsvValue, csvRow } from './csv.ts'

test('every row ends with CRLF, also the last one', () => {
  expect(csvRow(['a', 'b'])).toBe('a,b\r\n')
})

test('what holds a comma, a quote or a line break stands in quotes', () => {
  expect(csvRow(['a,b', 'say "no"', 'one\ntwo', 'one\rtwo', ' plain '])).toBe(
    '"a,b","say ""no""","one\ntwo","one\rtwo", plain \r\n',
  )
})

test('absent values are empty, numbers and booleans stand as they are', () => {
  expect(csvRow([null, undefined, '', 0, -71.0589, true, false])).toBe(',,,0,-71.0589,true,false\r\n')
})

test.each(['=1+1', '+46 18', '-2', '@SUM(A1)', '\tx', '\rx'])('the text %j is no formula any more', (text) => {
  expect(parse(csvRow([text]), { delimiter: ',', recordDelimiter: '\r\n' })).toEqual([[`'${text}`]])
})

test('texts that hold such a sign elsewhere are left alone', () => {
  expect(csvRow(['a=1', '1-2', "'=1", ' =1'])).toBe("a=1,1-2,'=1, =1\r\n")
})

test('whatever is written is read again by another reader', () => {
  const cell = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('"', '\r\n', ',', '=', '', ' '), fc.integer())
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }), (rows) => {
      const text = rows.map((row) => csvRow(row)).join('')
      const told = (value: CsvValue) =>
        typeof value === 'string' && /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value)
      expect(parse(text, { relaxColumnCount: true, recordDelimiter: '\r\n' })).toEqual(rows.map((row) => row.map(told)))
    }),
  )
})
