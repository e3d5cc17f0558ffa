import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { resultFile } from './verdict.ts'

test('a fault with a wrong parameter is not carried out, and keeps the result of the last run', () => {
  const before = readFileSync(resultFile('answer-lost'), 'utf8')
  const lab = join(import.meta.dirname, '../../lab.ts')
  const { status, stderr } = spawnSync(process.execPath, [lab, 'faults', 'answer-lost', '--colour'], {
    encoding: 'utf8',
  })
  expect(stderr).toMatch(/^Unknown option '--colour'\nParameters with their defaults: /)
  expect(status).toBe(1)
  expect(readFileSync(resultFile('answer-lost'), 'utf8')).toBe(before)
})
