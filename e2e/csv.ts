import { readFile } from 'node:fs/promises'
import { type Download, expect } from '@playwright/test'

/** Rows of a CSV file by their heads; what the file begins and ends with is checked on the way. */
export async function readCsv(download: Download): Promise<Record<string, string>[]> {
  const text = await readFile(await download.path(), 'utf8')
  expect(text.startsWith('\uFEFF')).toBe(true)
  expect(text.endsWith('\r\n')).toBe(true)
  const table: string[][] = [[]]
  for (const [, cell = '', end] of text.slice(1).matchAll(/("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/g)) {
    table.at(-1)?.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell)
    if (end === '\r\n') table.push([])
  }
  const [heads = [], ...records] = table.slice(0, -1)
  return records.map((record) => Object.fromEntries(heads.map((head, index) => [head, record[index] ?? ''])))
}
