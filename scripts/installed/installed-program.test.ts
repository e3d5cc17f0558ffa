import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findInstalledPostgres } from './installed-program.ts'

let folder: string
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch-installed-'))
})
afterEach(() => fs.rmSync(folder, { recursive: true }))

function install(major: string, programs: readonly string[] = ['initdb', 'postgres']): void {
  const bin = path.join(folder, major, 'bin')
  fs.mkdirSync(bin, { recursive: true })
  for (const program of programs) fs.writeFileSync(path.join(bin, program), '')
}

test('the oldest supported PostgreSQL of the machine is taken', () => {
  for (const major of ['9.6', '14', '17', '15']) install(major)
  expect(findInstalledPostgres(folder)).toEqual({ bin: path.join(folder, '15', 'bin'), major: 15 })
})

test('clients without a server, and older servers, are none', () => {
  install('14')
  install('16', ['psql'])
  expect(findInstalledPostgres(folder)).toBeNull()
  expect(findInstalledPostgres(path.join(folder, 'absent'))).toBeNull()
})
