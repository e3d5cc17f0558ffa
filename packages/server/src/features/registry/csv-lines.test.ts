import { describe, expect, it } from 'vitest'
import { registeredKinds } from './registered-kinds.ts'
import { type ReadLine, readCsvLines } from './registry.service.ts'

async function read(text: string, kind: keyof typeof registeredKinds = 'sites'): Promise<ReadLine[]> {
  const lines: ReadLine[] = []
  for await (const line of readCsvLines(text, registeredKinds[kind])) lines.push(line)
  return lines
}

describe('a CSV', () => {
  it('gives an object a line, under the names of its first line', async () => {
    expect(await read('key,customer\nuppsala,helix\nmalmö,helix\n')).toEqual([
      { line: 2, value: { key: 'uppsala', customer: 'helix' } },
      { line: 3, value: { key: 'malmö', customer: 'helix' } },
    ])
  })

  it('may separate by semicolons and then write decimals with a comma', async () => {
    expect(await read('key;customer;latitude;longitude\nu;helix;59,85178;-17.5')).toEqual([
      { line: 2, value: { key: 'u', customer: 'helix', latitude: 59.85178, longitude: -17.5 } },
    ])
  })

  it('leaves out empty cells and blank lines, and needs no line end at its end', async () => {
    expect(await read('\nkey,name,city\r\n\r\na,,Uppsala\r\n,,\r\nb,B')).toEqual([
      { line: 4, value: { key: 'a', city: 'Uppsala' } },
      { line: 6, value: { key: 'b', name: 'B' } },
    ])
  })

  it.each(['\n', '\r\n', '\r'])('counts lines through cells with line breaks, ended by %j', async (end) => {
    const text = ['key,name', 'a,"first', 'second"', '', 'b,"say ""hi"", ok"'].join(end)
    expect(await read(text)).toEqual([
      { line: 2, value: { key: 'a', name: 'first\nsecond' } },
      { line: 5, value: { key: 'b', name: 'say "hi", ok' } },
    ])
  })

  it('reads true and false in any case, and leaves what is neither to the schema', async () => {
    const values = await read('key,customer,tierOne\na,c,TRUE\nb,c,false\nd,c,yes', 'contracts')
    expect(values.map((line) => 'value' in line && line.value)).toMatchObject([
      { tierOne: true },
      { tierOne: false },
      { tierOne: 'yes' },
    ])
  })

  it.each([
    ['key,costumer', 'costumer', /^is not a field of this kind; its fields are city, country, customer, key, /],
    ['key,key', 'key', /^occurs twice/],
    ['customer,name', 'key', /^is missing/],
  ])('with the header %s reports the fault of the header, and none of its lines', async (head, path, message) => {
    expect(await read(`${head}\n1,2\n3,4`)).toEqual([
      { error: { line: 1, path, message: expect.stringMatching(message) } },
    ])
  })

  it.each([
    ['instruments', 'id'],
    ['instruments', 'createdAt'],
    ['instruments', 'instrumentStatus'],
    ['instruments', 'orcStatus'],
    ['gateways', 'lastSeenAt'],
    ['event-templates', 'templateId'],
  ] as const)('of %s with the column %s is told that the server keeps it', async (kind, column) => {
    expect(await read(`key,${column}`, kind)).toEqual([
      { error: { line: 1, path: column, message: expect.stringContaining('set by the server') } },
    ])
  })

  it('says where a line has more cells than the head', async () => {
    expect(await read('key,name\na,Street 1, Uppsala\nb,B')).toEqual([
      { error: { line: 2, path: '', message: expect.stringContaining('3 cells for 2 columns') } },
      { line: 3, value: { key: 'b', name: 'B' } },
    ])
  })

  it.each([
    ['key,name\na,"open\nb,B\n', /never|not closed/],
    ['key,name\na,5" pipe\n', /double the quotes/],
    ['key,name\na,"x"y\n', /double the quotes/],
  ])('says that its quotes do not fit: %j', async (text, message) => {
    const lines = await read(text)
    expect(lines.at(-1)).toEqual({
      error: { line: expect.any(Number), path: '', message: expect.stringMatching(message) },
    })
  })
})
