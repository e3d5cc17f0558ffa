import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { type LockFile, missingPlatformPackages } from './complete-lock-file.mjs'

test('the lock file has the packages of every platform, so npm ci accepts it', () => {
  const file = path.resolve(import.meta.dirname, '..', 'package-lock.json')
  const lock = JSON.parse(fs.readFileSync(file, 'utf8')) as LockFile
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(Object.keys(missingPlatformPackages(lock))).toEqual([])
})

test('a platform package without an entry gets one with its platform', () => {
  const optionalDependencies = {
    '@tool/cli-darwin-arm64': '1.2.3',
    '@tool/cli-linux-x64-musl': '1.2.3',
    '@tool/binding-linux-arm-gnueabihf': '1.2.3',
    'peer-of-no-platform': '1.2.3',
    '@tool/cli-win32-x64': '1.2.3',
  }
  const lock = {
    packages: {
      'node_modules/tool': { optionalDependencies },
      'node_modules/@tool/cli-win32-x64': { version: '1.2.3' },
    },
  }
  expect(missingPlatformPackages(lock)).toEqual({
    'node_modules/@tool/cli-darwin-arm64': { version: '1.2.3', cpu: ['arm64'], optional: true, os: ['darwin'] },
    'node_modules/@tool/cli-linux-x64-musl': {
      version: '1.2.3',
      cpu: ['x64'],
      libc: ['musl'],
      optional: true,
      os: ['linux'],
    },
    'node_modules/@tool/binding-linux-arm-gnueabihf': {
      version: '1.2.3',
      cpu: ['arm'],
      libc: ['glibc'],
      optional: true,
      os: ['linux'],
    },
  })
})
