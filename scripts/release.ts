/**
 * `npm run release`: makes dist/release/benchwatch-<version>.tgz, from which the product is installed and started, and
 * SHA256SUMS beside it. With RELEASE_KEY, an Ed25519 key as PEM, the sums are signed. `prepare.mjs` comes first,
 * because the archive contains the built web app.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { makeRelease, signatureOf } from './release/make-release.ts'

const root = path.resolve(import.meta.dirname, '..')
const target = path.join(root, 'dist', 'release')
const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()

try {
  release()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}

function release(): void {
  const changed = git('status', '--porcelain')
  if (changed !== '') throw new Error(`A release is made of what is committed. Commit or remove first:\n${changed}`)
  const key = process.env.RELEASE_KEY
  const { archive, sums } = makeRelease({
    root,
    target,
    files: git('ls-files', '-z').split('\0').filter(Boolean),
    at: new Date(Number(git('log', '-1', '--format=%ct')) * 1000),
  })
  const signature = path.join(target, 'SHA256SUMS.sig')
  fs.rmSync(signature, { force: true })
  if (key) fs.writeFileSync(signature, signatureOf(fs.readFileSync(sums), key))
  console.log(`${path.relative(root, archive)}, ${(fs.statSync(archive).size / 1e6).toFixed(1)} MB`)
  console.log(key ? 'SHA256SUMS is signed.' : 'SHA256SUMS is not signed, because RELEASE_KEY is not set.')
}
