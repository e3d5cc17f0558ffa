import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')

/** One mistake each, and the rule that must report it. Rules that are off or lack type information report nothing. */
const planted: Record<string, [source: string, rule: string]> = {
  'type.ts': ["export const x: number = 'a'\n", 'TS2322'],
  'floating.ts': ['export function save() {\n  Promise.resolve(1)\n}\n', 'no-floating-promises'],
  'misused.ts': ['export const x = [1].forEach(async () => {\n  await Promise.resolve()\n})\n', 'no-misused-promises'],
  'assigned.ts': ["export const x: number = JSON.parse('1')\n", 'no-unsafe-assignment'],
  'member.ts': ["export const x = String(JSON.parse('1').a)\n", 'no-unsafe-member-access'],
  'called.ts': ["export const x = () => void JSON.parse('1')()\n", 'no-unsafe-call'],
  'returned.ts': ["export const x = (): string => JSON.parse('1')\n", 'no-unsafe-return'],
  'argument.ts': ["export const x = parseInt(JSON.parse('1'), 10)\n", 'no-unsafe-argument'],
  'string.ts': ['export const x = (value: object) => `${value}`\n', 'no-base-to-string'],
  'any.ts': ['export const x = (value: any): unknown => value\n', 'no-explicit-any'],
  'equal.ts': ['export const x = (a: number, b: number) => a == b\n', 'eqeqeq'],
  'console.ts': ["export const x = () => console.log('x')\n", 'no-console'],
  'comment.ts': ['/** Whether x is on. */\nexport const x = true\n', 'doc-comment-opening'],
  'cycle-a.ts': ["import { b } from './cycle-b.ts'\nexport const a = () => b\n", 'no-cycle'],
  'cycle-b.ts': ["import { a } from './cycle-a.ts'\nexport const b = () => a\n", 'no-cycle'],
  'hooks.tsx': [
    'declare function useState(x: number): number\nexport const X = (on: boolean) => (on ? useState(1) : 0)\n',
    'rules-of-hooks',
  ],
  'effect.tsx': [
    "import { useEffect } from 'react'\nexport function X({ a }: { a: number }) {\n  useEffect(() => void Math.max(a), [])\n  return null\n}\n",
    'exhaustive-deps',
  ],
  'only.test.ts': [
    "import { expect, test } from 'vitest'\ntest.only('x', () => expect(1).toBe(1))\n",
    'no-focused-tests',
  ],
  'skip.test.ts': [
    "import { expect, test } from 'vitest'\ntest.skip('x', () => expect(1).toBe(1))\n",
    'no-disabled-tests',
  ],
}

test('the lint names every planted mistake', () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch-lint-'))
  try {
    fs.symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'))
    fs.copyFileSync(path.join(root, 'tsconfig.base.json'), path.join(folder, 'tsconfig.base.json'))
    fs.writeFileSync(path.join(folder, 'package.json'), '{ "type": "module" }')
    fs.writeFileSync(
      path.join(folder, 'tsconfig.json'),
      JSON.stringify({ extends: './tsconfig.base.json', compilerOptions: { jsx: 'react-jsx' }, include: ['*'] }),
    )
    for (const [file, [source]] of Object.entries(planted)) fs.writeFileSync(path.join(folder, file), source)
    const { stdout } = spawnSync(
      path.join(root, 'node_modules', '.bin', 'oxlint'),
      [
        '--config',
        path.join(root, '.oxlintrc.json'),
        '--type-aware',
        '--type-check',
        '--format',
        'unix',
        ...Object.keys(planted),
      ],
      { cwd: folder, encoding: 'utf8', timeout: 60_000 },
    )
    const missed = Object.entries(planted)
      .filter(
        ([file, [, rule]]) =>
          !stdout.split('\n').some((line) => line.includes(`${file}:`) && line.includes(`(${rule})`)),
      )
      .map(([file, [, rule]]) => `${rule} in ${file}`)
    expect(missed, stdout).toEqual([])
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
