import { expect, test } from 'vitest'
import { packagesFor } from './locked-packages.ts'

const lock = {
  packages: {
    '': { optionalDependencies: { node: '26.0.0', 'node-windows': '26.0.0' } },
    'node_modules/@benchwatch/contract': { resolved: 'packages/contract', link: true },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '2' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/c': {
      version: '1.0.0',
      peerDependencies: { d: '1', e: '1' },
      peerDependenciesMeta: { e: { optional: true } },
    },
    'node_modules/d': { version: '1.0.0' },
    'node_modules/e': { version: '1.0.0' },
    'node_modules/node': { version: '26.0.0' },
    'node_modules/test-tool': { version: '1.0.0' },
    'packages/contract': { version: '1.0.0', dependencies: { b: '1' } },
    'packages/server': {
      version: '1.0.0',
      dependencies: { a: '1', '@benchwatch/contract': '1' },
      devDependencies: { 'test-tool': '1' },
    },
  },
}

test('the packages of a place are those that it requires, each where Node finds it', () => {
  expect([...packagesFor(lock, ['packages/server']).keys()]).toEqual([
    'node_modules/@benchwatch/contract',
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/b',
    'node_modules/c',
    'node_modules/d',
    'packages/contract',
    'packages/server',
  ])
  // An optional package that the registry lacks has no entry.
  expect([...packagesFor(lock, ['']).keys()]).toEqual(['', 'node_modules/node'])
})

test('a place that the lock file lacks is refused with what to do', () => {
  expect(() => packagesFor(lock, ['packages/web'])).toThrow('package-lock.json has no packages/web: run `npm install`')
})
