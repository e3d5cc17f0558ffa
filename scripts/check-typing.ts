/** `npm run types`: runs the compiler alone on every workspace, two at a time. `npm run lint` reports errors of types, too. */
import fs from 'node:fs'
import path from 'node:path'
import { inPool, run } from './run.ts'

const root = path.resolve(import.meta.dirname, '..')
const packages = fs.readdirSync(path.join(root, 'packages')).map((name) => `packages/${name}`)
const projects = ['.', 'e2e', ...packages].filter((folder) => fs.existsSync(path.join(root, folder, 'tsconfig.json')))

const results = await inPool(2, projects, (project) => run(['tsc', '-p', project, '--pretty', 'false']))
for (const { output } of results) process.stdout.write(output)
process.exitCode = results.some(({ code }) => code !== 0) ? 1 : 0
