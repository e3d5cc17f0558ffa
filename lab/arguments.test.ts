import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readBenchArguments, readGenerateArguments, sizeName, UsageError } from './arguments.ts'

const groups = ['lists', 'ingest']

test('without arguments a million events are made in a folder of that name, and measured there', () => {
  const folder = join(import.meta.dirname, 'data/1M')
  expect(readGenerateArguments([])).toEqual({
    events: 1_000_000,
    instruments: 5000,
    dataDir: folder,
    seed: 'bench',
    running: 0,
  })
  expect(readBenchArguments([], groups)).toEqual({
    ...{ dataDir: folder, engine: 'index', only: [], samples: 200, seconds: 20, plans: false, out: null },
  })
})

test('the folder is named after the size unless it is given', () => {
  expect(readGenerateArguments(['--events', '10_000_000']).dataDir).toBe(join(import.meta.dirname, 'data/10M'))
  expect(readGenerateArguments(['--events=250000', '--instruments', '50_000', '--data', '/tmp/x'])).toMatchObject({
    events: 250_000,
    instruments: 50_000,
    dataDir: '/tmp/x',
  })
  expect([1_000_000, 250_000, 1234].map(sizeName)).toEqual(['1M', '250k', '1234'])
})

test('groups are named one after the other, before or after the options', () => {
  expect(readBenchArguments(['lists', 'ingest'], groups).only).toEqual(['lists', 'ingest'])
  expect(readBenchArguments(['--data', '/tmp/x', 'lists'], groups)).toMatchObject({
    only: ['lists'],
    dataDir: '/tmp/x',
  })
})

test('the engine that answers searches can be named', () => {
  expect(readBenchArguments(['--engine', 'postgres'], groups).engine).toBe('postgres')
})

test.each([
  [() => readBenchArguments(['list'], groups), 'There is no group list. Groups: lists, ingest.'],
  [() => readBenchArguments(['--engine', 'mysql'], groups), 'Engines: index, postgres, clickhouse.'],
  [() => readBenchArguments(['--samples', 'many'], groups), '--samples must be a whole number'],
  [() => readBenchArguments(['--sample', '5'], groups), 'Usage: npm run lab -- bench'],
  [() => readGenerateArguments(['--events', '10']), '--events must be a whole number from 1000'],
  [() => readGenerateArguments(['--events', '1.5e3x']), '--events must be a whole number'],
])('wrong arguments are refused with a sentence', (read, sentence) => {
  expect(read).toThrow(UsageError)
  expect(read).toThrow(sentence)
})
