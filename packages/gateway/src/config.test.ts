import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfigurationError, readConfig, readGatewayKeys } from './config.ts'

const one = { GATEWAY_NAME: 'GW-UPP-01', GATEWAY_KEY: 'secret' }

describe('the configuration', () => {
  it('needs only a name and a key', () => {
    expect(readConfig(one)).toMatchObject({
      serverUrl: 'http://127.0.0.1:8080',
      gateways: { kind: 'one', name: 'GW-UPP-01', key: 'secret' },
      outboxMaxBytes: 256_000_000,
      simulator: null,
      endWithParent: false,
    })
  })

  it('simulates for the demo unless it is switched off, and only on demand otherwise', () => {
    const demo = { DEMO_GATEWAYS: '/data/demo-gateways.json' }
    expect(readConfig(demo).simulator).toEqual({ seed: 'benchwatch', speed: 1 })
    expect(readConfig({ ...demo, SIMULATOR: 'off' }).simulator).toBeNull()
    expect(readConfig({ ...one, SIMULATOR: 'on', SIMULATOR_SPEED: '2.5' }).simulator?.speed).toBe(2.5)
  })

  it('takes the address without its last slash', () => {
    expect(readConfig({ ...one, BENCHWATCH_URL: 'https://benchwatch.example/' }).serverUrl).toBe(
      'https://benchwatch.example',
    )
  })

  it('names every bad key at once', () => {
    const bad = { ...one, BENCHWATCH_URL: 'ftp://x', OUTBOX_MAX_MB: 'much', SIMULATOR: 'maybe' }
    expect(() => readConfig(bad)).toThrow(
      /BENCHWATCH_URL: must look like https:[^]*OUTBOX_MAX_MB: must be a whole number[^]*SIMULATOR/,
    )
  })

  it('says what to set when no gateway is named', () => {
    expect(() => readConfig({ GATEWAY_NAME: '', GATEWAY_KEY: 'x' })).toThrow(ConfigurationError)
    expect(() => readConfig({})).toThrow(/Set GATEWAY_NAME and GATEWAY_KEY/)
  })
})

describe('a key in a file', () => {
  it('is read from there, and refused where the variable has one too', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'keys-'))
    const file = join(directory, 'key')
    await writeFile(file, 'from-file\n')
    expect(readConfig({ GATEWAY_NAME: 'GW-UPP-01', GATEWAY_KEY_FILE: file }).gateways).toMatchObject({
      key: 'from-file',
    })
    expect(() => readConfig({ ...one, GATEWAY_KEY_FILE: file })).toThrow(
      /GATEWAY_KEY: is set, and so is GATEWAY_KEY_FILE/,
    )
    await rm(directory, { recursive: true })
    expect(() => readConfig({ GATEWAY_NAME: 'GW-UPP-01', GATEWAY_KEY_FILE: file })).toThrow(
      /GATEWAY_KEY_FILE: the file .* can't be read \(ENOENT\)/,
    )
  })
})

describe('the file of several gateways', () => {
  let directory: string
  const write = async (text: string) => {
    const path = join(directory, 'gateways.json')
    await writeFile(path, text)
    return readGatewayKeys({ kind: 'file', path })
  }
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'keys-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('gives each gateway its key', async () => {
    expect(await write('[{"gateway":"GW-UPP-01","key":"a"},{"gateway":"GW-UPP-02","key":"b"}]')).toEqual([
      { name: 'GW-UPP-01', key: 'a' },
      { name: 'GW-UPP-02', key: 'b' },
    ])
  })

  it.each(['[{"gateway":"GW-UPP-01","key":"very-secret"', '[{"gateway":"a b","key":"very-secret"}]', '[]', '{}'])(
    'is refused as %s, with a sentence that says what it must be and never quotes a key',
    async (text) => {
      const refused = write(text)
      await expect(refused).rejects.toThrow(/It must contain \[\{"gateway": "<name>", "key": "<key>"\}\]/)
      await expect(refused).rejects.not.toThrow(/very-secret/)
    },
  )

  it('is required', async () => {
    const missing = readGatewayKeys({ kind: 'file', path: join(directory, 'no.json') })
    await expect(missing).rejects.toThrow(/no\.json can't be read \(ENOENT\)/)
  })
})
