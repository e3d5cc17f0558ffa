import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readSecret } from './secret.ts'

it('reads a password without spaces around it, and says which file is absent or empty', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'secret-'))
  const file = join(directory, 'password')
  await expect(readSecret(file)).rejects.toThrow(`The file ${file} with a password or token can't be read (ENOENT).`)
  await writeFile(file, ' \n')
  await expect(readSecret(file)).rejects.toThrow(`The file ${file} is empty. Write the password or token into it.`)
  await writeFile(file, ' secret\n')
  expect(await readSecret(file)).toBe('secret')
  await rm(directory, { recursive: true })
})
