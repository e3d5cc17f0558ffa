import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { freePort } from '../testing/free-port.ts'

let directory: string
let file: string

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'cli-'))
  file = join(directory, 'sources.yaml')
})
afterEach(() => rm(directory, { recursive: true }))

function run(command: 'browse' | 'check' | 'try', ...args: string[]) {
  const child = spawn(process.execPath, [join(import.meta.dirname, `${command}.ts`), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
  const ended = new Promise<{ code: number | null; output: string }>((resolve) =>
    child.once('close', (code) => resolve({ code, output })),
  )
  const says = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => output.includes(text) && resolve()
      child.stdout.on('data', look)
      child.once('close', () => reject(new Error(output)))
      look()
    })
  return { child, ended, says }
}

const sources = (port: number) => `
sources:
  - kind: http
    name: webhooks
    listen: 127.0.0.1:${port}
    routes: [{ path: /hook, format: json }]
    rules:
      - when: { json.door: open }
        instrument: "{json.id}"
        raise: { template: SKID-Door open!, component: Door, autoClear: 0s }
`

describe('gateway:check', () => {
  it('prints the sources of a good file and what becomes of names', async () => {
    await writeFile(file, sources(8090))
    const { code, output } = await run('check', file).ended
    expect(code).toBe(0)
    expect(output).toMatch(
      /^webhooks \(http\): 1 rule\n {2}SKID-Door open! becomes the template id SKID-Door_open_[0-9a-f]{8}\n.* can be used\.\n$/,
    )
  })

  it('names every fault with its line, a missing file, and a missing argument', async () => {
    await writeFile(file, sources(8090).replace('format: json', 'format: xml').replace('autoClear: 0s', 'autoClear: 0'))
    const { code, output } = await run('check', file).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^.*sources\.yaml:6: .*\n.*sources\.yaml:10: .*autoClear.*\n$/)
    expect(await run('check', join(directory, 'none.yaml')).ended).toMatchObject({
      code: 1,
      output: expect.stringContaining("can't be read (ENOENT)."),
    })
    expect((await run('check').ended).code).toBe(1)
    expect(await run('check', '--help').ended).toMatchObject({ code: 1, output: expect.stringContaining('--help') })
  })

  it('finds a file beside the place where npm was typed', async () => {
    await writeFile(file, sources(8090))
    vi.stubEnv('INIT_CWD', directory)
    const { output } = await run('check', 'sources.yaml').ended
    vi.unstubAllEnvs()
    expect(output).toContain('sources.yaml can be used.')
  })
})

describe('gateway:try', () => {
  it('shows the reports for live messages and stores nothing', async () => {
    const port = await freePort()
    await writeFile(file, sources(port))
    const { child, says, ended } = run('try', file)
    await says('Nothing is sent.')
    const post = async (body: object) =>
      (await fetch(`http://127.0.0.1:${port}/hook`, { method: 'POST', body: JSON.stringify(body) })).status
    expect(await post({ id: 'IP-1', door: 'open' })).toBe(503)
    expect(await post({ id: 'IP-1', door: 'shut' })).toBe(503)
    await says('no rule matches')
    child.kill('SIGINT')
    const { code, output } = await ended
    expect(code).toBe(0)
    expect(output).toMatch(/webhooks is up\./)
    expect(output).toMatch(/rule 1 matches \{.*"door":"open".*\}\n {2}→ raise \{"instrument":"IP-1",/)
  })

  it('says which source can not start, and shows the messages of the others', async () => {
    const [taken, free] = [await freePort(), await freePort()]
    const gateway = createServer().listen(taken, '127.0.0.1')
    await once(gateway, 'listening')
    const other = sources(free).replace('name: webhooks', 'name: others').replace('sources:', '')
    await writeFile(file, sources(taken) + other)
    const { child, says, ended } = run('try', file)
    await says('Nothing is sent.')
    child.kill('SIGINT')
    expect(await ended).toMatchObject({ code: 0, output: expect.stringMatching(/^others is up\.$/m) })
    expect((await ended).output).toMatch(/^webhooks is down\. 127\.0\.0\.1:\d+ can't be listened to \(EADDRINUSE\)/m)
    expect(await run('try', file, 'webhooks').ended).toMatchObject({
      code: 1,
      output: expect.stringContaining('No source can start.'),
    })
    gateway.close()
  })

  it('says which sources there are, and what is wrong', async () => {
    await writeFile(file, sources(8090))
    expect((await run('try', file, 'others').ended).output).toContain('has no source others, only webhooks.')
    await writeFile(file, 'sources: []')
    expect(await run('try', file).ended).toMatchObject({ code: 1, output: expect.stringMatching(/sources\.yaml:1: /) })
  })

  it('names an unknown option in one sentence', async () => {
    const { code, output } = await run('try', '--colour', file).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^Unknown option '--colour'.*\n$/)
  })
})

describe('gateway:browse', () => {
  it.each([[[]], [['--colour']], [['http://127.0.0.1']]])('says how it is used for %j', async (args) => {
    const { code, output } = await run('browse', ...args).ended
    expect(code).toBe(1)
    expect(output).toMatch(/^npm run gateway:browse -- opc\.tcp:\/\/HOST:4840 .*\n {2}\[--policy .*\n$/)
  })
})
