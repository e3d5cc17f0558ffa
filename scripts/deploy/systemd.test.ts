import { execFileSync, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findInstalledProgram } from '../installed/installed-program.ts'

const root = path.resolve(import.meta.dirname, '../..')
const units = ['benchwatch.service', 'benchwatch-gateway.service']
const analyze = findInstalledProgram('systemd-analyze')
let folder: string

beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'units-'))
})
afterAll(() => fs.rmSync(folder, { recursive: true }))

const read = (unit: string) => fs.readFileSync(path.join(root, 'deploy/systemd', unit), 'utf8')

/** Writes a unit as if the release were installed in the repository. */
function place(unit: string, text = read(unit)): string {
  const file = path.join(folder, unit)
  fs.writeFileSync(file, text.replaceAll('/opt/benchwatch', root))
  return file
}

const rating = (file: string) => ['security', '--offline=true', '--threshold=20', '--no-pager', file]

describe.runIf(analyze).each(units)('%s', (unit) => {
  test('is a unit that systemd reads without complaint', () => {
    const { status, stdout, stderr } = spawnSync(analyze ?? '', ['verify', place(unit)], { encoding: 'utf8' })
    expect({ status, said: stdout + stderr }).toEqual({ status: 0, said: '' })
    const { stderr: complaint } = spawnSync(
      analyze ?? '',
      ['verify', place(unit, `${read(unit)}\n[Service]\nProtect=all\n`)],
      {
        encoding: 'utf8',
      },
    )
    expect(complaint).toContain('Protect')
  })

  test('has an exposure below 2', () => {
    expect(execFileSync(analyze ?? '', rating(place(unit)), { encoding: 'utf8' })).toMatch(
      /Overall exposure level .*: [01]\.\d OK/,
    )
    const bare = read(unit).replace(/^(Protect|Private|System|Restrict).*\n/gm, '')
    expect(() => execFileSync(analyze ?? '', rating(place(unit, bare)), { stdio: 'pipe' })).toThrow()
  })
})

test.each(units)('%s starts a program that exists, as a user of its own', (unit) => {
  const [, file = 'none'] = /^ExecStart=\S+ (\S+)$/m.exec(read(unit)) ?? []
  expect(fs.existsSync(path.join(root, file))).toBe(true)
  expect(read(unit)).toContain(`\nUser=${path.basename(unit, '.service')}\n`)
})
