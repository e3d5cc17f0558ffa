import { describe, expect, it } from 'vitest'
import * as patterns from './patterns.ts'

const accepted: Record<keyof typeof patterns, string[]> = {
  EVENT_ID: ['1', 'ORC-104882', '123456789012345678'],
  CASE_NUMBER: ['00123456'],
  TEMPLATE_ID: ['P9B-1042', 'V9-IA-7', 'GMX20-1', 'P9B-10a', 'LADS-Temperature_high', 'ULT-Door.Open'],
  INSTRUMENT_TYPE: ['AKTAPilot600', 'ULT-Freezer_86.2'],
  INSTRUMENT_FAMILY: ['WAVE 25', 'ÄKTA avant', 'Allegro', '冷冻柜'],
  TEMPLATE_KEY: ['AKTAPilot600/P9B-1042', 'ULT-Freezer/LADS-Temperature_high'],
  EMAIL: ['maria.oberg@helixbio.example', 'a+b@x.y', 'ö@exämple.de'.replace('exämple', 'example')],
  MSISDN: ['+46705550101', '+14155550100'],
  ONE_TIME_CODE: ['000000', '123456'],
  INSTALLED_PRODUCT_ID: ['IP-20431187', '20431187', 'GW-COP-03'],
  SOURCE_NAME: ['skids', '2nd.Floor_freezers-1'],
  GATEWAY_NAME: ['GW-UPP-01'],
  INGEST_ITEM_ID: ['0192f0c1-7a3b-4e57-8f0a-0a1b2c3d4e5f-17', 'e-0'],
  REGISTRY_KEY: ['helix', 'maria@helixbio.example', 'CT-1000:7'],
  FULL_SUPPORT_TERM: ['Gold 24h', '24 hours on site', 'Response 24 hrs', '24 H'],
  COMPONENT_MODULE: ['Pump B (P9-B)', 'UV monitor (U9-M)'],
  TEXT_IN_BRACES: ['Dear {contactName},', '{}', '{{date}'],
  ERROR_LEVEL: ['ERROR', 'err', 'Critical', 'FATAL', 'emergency'],
  WARNING_LEVEL: ['WARN', 'Warning'],
}

const refused: Record<keyof typeof patterns, string[]> = {
  EVENT_ID: ['', 'ORC-', 'orc-7', 'ORC-12a', 'XORC-1', '1234567890123456789', '1\n'],
  CASE_NUMBER: ['1234567', '123456789', '1234567a', ' 12345678', '12345678\n'],
  TEMPLATE_ID: ['P9B', '-1042', 'P9B-', 'P9B-10 a', 'P9B-10/a', 'P9 B-1', `${'A'.repeat(41)}-1`, `A-${'1'.repeat(41)}`],
  INSTRUMENT_TYPE: ['', 'ÄKTA', '-x', 'a b', 'a/b', 'a'.repeat(41)],
  INSTRUMENT_FAMILY: ['', 'All', 'ALL', ' x', 'x ', 'x  y', 'a/b', 'a?', 'a#', 'a\nb', 'x'.repeat(61)],
  TEMPLATE_KEY: ['P9B-1042', 'AKTAPilot600/', 'AKTAPilot600/P9B', 'A/B-1/C-1', 'Ä/B-1'],
  EMAIL: ['', 'a', 'a@b', 'a b@c.de', 'a@b..de', 'a@@b.de', '<a@b.de>', 'a@b.de\r\nBcc: x@y.de'],
  MSISDN: ['', '0705550101', '+0705550101', '+46 70', '+4670', '+1234567890123456', '+46705550101\n'],
  ONE_TIME_CODE: ['', '12345', '1234567', '12345a', '123456\n'],
  INSTALLED_PRODUCT_ID: ['', '-1', 'a b', '../x', 'a'.repeat(65)],
  SOURCE_NAME: ['', '-x', 'a/b', 'a'.repeat(41)],
  GATEWAY_NAME: ['', '.x', 'a/b'],
  INGEST_ITEM_ID: ['', '-1', 'abc', 'abc-', 'abc-1x', `${'a'.repeat(65)}-1`],
  REGISTRY_KEY: ['', 'a b', 'a/b', 'a?b', 'a#b', 'a'.repeat(121)],
  FULL_SUPPORT_TERM: ['None', '8/5', '24/7', '124 h', '24 horses'],
  COMPONENT_MODULE: ['Pump B', 'Pump (', '()'],
  TEXT_IN_BRACES: ['', '{date', 'date}', '{a\nb}', `{${'a'.repeat(61)}}`],
  ERROR_LEVEL: ['', 'INFO', 'No error', 'WARN'],
  WARNING_LEVEL: ['', 'INFO', 'forewarned', 'ERROR'],
}

describe.each(Object.keys(patterns) as (keyof typeof patterns)[])('%s', (name) => {
  const pattern = patterns[name]

  it.each(accepted[name])('accepts %j', (text) => {
    expect(pattern.test(text)).toBe(true)
  })

  it.each(refused[name])('refuses %j', (text) => {
    expect(pattern.test(text)).toBe(false)
  })

  it('takes linear time on long hostile text', () => {
    // A backtracking pattern takes minutes here; a linear one stays far below the limit even on a busy machine.
    const hostile = ['a', '1', '-', '.', ' ', '(', '24', '24 ', 'a-', 'a.', '@', 'a@a.'].map((piece) =>
      piece.repeat(100_000 / piece.length),
    )
    const started = performance.now()
    for (const text of hostile) pattern.test(`${text}!`)
    expect(performance.now() - started).toBeLessThan(1000)
  })
})
