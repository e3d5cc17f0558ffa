import { MAX_IMPORT_BYTES as CONTRACT_MAX } from '@benchwatch/contract/administration/registry'
import { describe, expect, it } from 'vitest'
import {
  decodeImport,
  importMediaType,
  importTemplate,
  kindOfFile,
  lineOf,
  MAX_IMPORT_BYTES,
} from './registry-import.tsx'

describe('a file for import', () => {
  it.each([
    ['sites.csv', 'text/csv'],
    ['Export 2026.TXT', 'text/csv'],
    ['sites.ndjson', 'application/x-ndjson'],
    ['SITES.JSONL', 'application/x-ndjson'],
  ])('%s is %s', (name, mediaType) => {
    expect(importMediaType(name)).toBe(mediaType)
  })

  it('tells its kind by its name', () => {
    expect(kindOfFile('Sites-2026-11.csv')).toBe('sites')
    expect(kindOfFile('event-templates.ndjson')).toBe('event-templates')
    expect(kindOfFile('export.csv')).toBeNull()
  })

  it('is read without its byte order mark, and not at all where its letters would be guessed', () => {
    expect(decodeImport(new Uint8Array([0xef, 0xbb, 0xbf, 0xc3, 0x84]).buffer)).toBe('Ä')
    expect(decodeImport(new Uint8Array([0xc4, 0x4b, 0x54]).buffer)).toBeNull()
  })

  it('is as large as the server takes', () => {
    expect(MAX_IMPORT_BYTES).toBe(CONTRACT_MAX)
  })

  it.each([
    [1, 'key,name'],
    [2, 'a,A'],
    [3, ''],
    [4, 'b,B'],
    [5, ''],
    [9, ''],
  ])('has as line %i %j', (line, text) => {
    expect(lineOf('key,name\r\na,A\n\nb,B\n', line)).toBe(text)
  })

  it('has a template that spreadsheets read, with quotes where a cell needs them', () => {
    const template = importTemplate('gateways')
    expect(template).toBe(
      '\uFEFFkey,site,installedProductId,location\r\nGW-UPP-01,helix-uppsala,GW-UPP-01,"Building 7, server room"\r\n',
    )
  })
})
