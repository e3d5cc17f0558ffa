import { type ChildProcess, spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  createWriteStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findInstalledProgram } from '../../../scripts/installed/installed-program.ts'
import { withClient } from '../../product/database.ts'
import type { Workplace } from '../script/workplace.ts'
import { findBinaries, type ServerUser, serverUser } from './external-postgres.ts'
import { processTree, signalAll } from './process-tree.ts'
import { freePort } from './product.ts'

/** A member of the cluster: a PostgreSQL server and the Patroni that runs it. */
interface Member {
  name: string
  port: number
  /** The port of Patroni's REST interface. */
  restPort: number
  folder: string
  patroni: ChildProcess | null
}

/** The cluster as the REST interface of Patroni describes it. */
interface ClusterState {
  members: { name: string; role: string; state: string; timeline?: number; lag?: number | string }[]
}

const PATIENCE_MS = 90_000
const POLL_MS = 100
/** Bytes of the log that a standby lacks at most to count as one. */
const CLOSE_BEHIND = 4e6
const programs = ['patroni', 'etcd', 'haproxy', 'pgbouncer'] as const
const TRUST = ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust']

/** The owner, and the login of the pooler with the settings that a pooler does not pass on. */
const ROLES = `
  CREATE ROLE benchwatch LOGIN CREATEROLE;
  CREATE ROLE benchwatch_app NOLOGIN;
  GRANT benchwatch_app TO benchwatch;
  CREATE ROLE benchwatch_requests LOGIN IN ROLE benchwatch_app;
  ALTER ROLE benchwatch_requests SET timezone = 'UTC';
  ALTER ROLE benchwatch_requests SET plan_cache_mode = 'force_custom_plan';
  ALTER ROLE benchwatch_requests SET jit = off;
  ALTER ROLE benchwatch_requests SET work_mem = '32MB';
  ALTER ROLE benchwatch_requests SET idle_in_transaction_session_timeout = 5000;
  ALTER ROLE benchwatch_requests SET tcp_keepalives_idle = 4;
  ALTER ROLE benchwatch_requests SET tcp_keepalives_interval = 1;
  ALTER ROLE benchwatch_requests SET statement_timeout = 4000`

/**
 * Three PostgreSQL servers under Patroni with etcd, HAProxy that leads to the primary, and PgBouncer in front of it, all
 * on the loopback of this machine. A member dies with its Patroni, as when a machine loses power, or without it.
 */
export class PostgresCluster {
  readonly members: readonly Member[]
  readonly #folder: string
  readonly #user: ServerUser
  readonly #isSynchronous: boolean
  readonly #etcdPort: number
  readonly #etcdPeerPort: number
  readonly #haproxyPort: number
  readonly #pgbouncerPort: number
  readonly #running = new Set<ChildProcess>()

  private constructor(
    folder: string,
    { user, ports, isSynchronous }: { user: ServerUser; ports: number[]; isSynchronous: boolean },
  ) {
    const [etcd = 0, etcdPeer = 0, haproxy = 0, pgbouncer = 0, ...ofMembers] = ports
    this.#folder = folder
    this.#user = user
    this.#isSynchronous = isSynchronous
    this.#etcdPort = etcd
    this.#etcdPeerPort = etcdPeer
    this.#haproxyPort = haproxy
    this.#pgbouncerPort = pgbouncer
    this.members = ['one', 'two', 'three'].map((name, at) => ({
      name,
      port: ofMembers[2 * at] ?? 0,
      restPort: ofMembers[2 * at + 1] ?? 0,
      folder: join(folder, name),
      patroni: null,
    }))
  }

  /** Names the programs that this machine lacks. */
  static missing(): string[] {
    return programs.filter((name) => findInstalledProgram(name) === null)
  }

  /** Creates and starts everything; it ends with the script. */
  static async start(workplace: Workplace, { isSynchronous }: { isSynchronous: boolean }): Promise<PostgresCluster> {
    const user = serverUser()
    const folder = mkdtempSync(join(tmpdir(), 'bw-ha-'))
    chmodSync(folder, 0o755)
    const ports: number[] = []
    while (ports.length < 10) {
      const port = await freePort()
      if (!ports.includes(port)) ports.push(port)
    }
    const cluster = new PostgresCluster(folder, { user, ports, isSynchronous })
    workplace.atEnd(async () => {
      await cluster.#stop()
      rmSync(folder, { recursive: true, force: true })
    })
    cluster.#own(folder)
    cluster.#startEtcd()
    for (const member of cluster.members) {
      cluster.#configure(member)
      cluster.launch(member)
    }
    const primary = await cluster.ready()
    await withClient(superuserUrl(primary, 'postgres'), async (client) => {
      await client.query(ROLES)
      await client.query('CREATE DATABASE benchwatch OWNER benchwatch')
    })
    cluster.#startProxies()
    return cluster
  }

  /** The owner's address through HAProxy. */
  get proxyUrl(): string {
    return `postgres://benchwatch@127.0.0.1:${this.#haproxyPort}/benchwatch`
  }

  /** The address of the pooler in transaction mode, for the connections of users' calls. */
  get poolerUrl(): string {
    return `postgres://benchwatch_requests@127.0.0.1:${this.#pgbouncerPort}/benchwatch`
  }

  /** The owner's address with all servers. */
  get manyHostsUrl(): string {
    const hosts = this.members.map(({ port }) => `127.0.0.1:${port}`)
    return `postgres://benchwatch@${hosts.join(',')}/benchwatch`
  }

  /** Waits until a primary runs with a standby that may take over without loss. Returns the primary. */
  async ready(): Promise<Member> {
    const until = Date.now() + PATIENCE_MS
    let state: ClusterState | null = null
    while (Date.now() < until) {
      state = await this.#state()
      const members = state?.members ?? []
      const leader = members.find(({ role, state }) => role === 'leader' && state === 'running')
      const mayFollow = members.some(
        ({ role, state, timeline, lag }) =>
          role === (this.#isSynchronous ? 'sync_standby' : 'replica') &&
          ['running', 'streaming'].includes(state) &&
          timeline === leader?.timeline &&
          Number(lag) < CLOSE_BEHIND,
      )
      const primary = this.members.find(({ name }) => name === leader?.name)
      if (primary && mayFollow) return primary
      await pause(POLL_MS)
    }
    const logs = this.members.map(({ name }) => readFileSync(join(this.#folder, `${name}.log`), 'utf8').slice(-1500))
    throw new Error(
      `No standby could take over within ${PATIENCE_MS / 1000} s: ${JSON.stringify(state)}\n${logs.join('\n\n')}`,
    )
  }

  /** Kills PostgreSQL of this member at once, and its Patroni first if its whole machine is to die. */
  kill(member: Member, { withPatroni }: { withPatroni: boolean }): void {
    if (withPatroni && member.patroni?.pid !== undefined) signalAll([member.patroni.pid], 'SIGKILL')
    const postmaster = postmasterOf(member)
    if (postmaster !== null) signalAll(processTree(postmaster), 'SIGKILL')
  }

  /** Starts Patroni of this member, which starts PostgreSQL, as a standby if there is another primary. */
  launch(member: Member): void {
    member.patroni = this.#spawn('patroni', [join(member.folder, 'patroni.json')], member.name)
  }

  /** Lets no standby follow this primary until Patroni starts it again: what is written from now on is on it alone. */
  async isolate(primary: Member): Promise<void> {
    const file = join(primary.folder, 'data', 'pg_hba.conf')
    writeFileSync(file, `host replication all 127.0.0.1/32 reject\n${readFileSync(file, 'utf8')}`)
    await withClient(superuserUrl(primary), async (client) => {
      await client.query('SELECT pg_reload_conf()')
      const cut = () => client.query('SELECT pg_terminate_backend(pid) FROM pg_stat_replication')
      while ((await cut()).rows.length > 0) await pause(POLL_MS)
    })
  }

  async #state(): Promise<ClusterState | null> {
    for (const { restPort } of this.members) {
      const answer = await fetch(`http://127.0.0.1:${restPort}/cluster`).catch(() => null)
      if (answer?.ok) return (await answer.json()) as ClusterState
    }
    return null
  }

  #startEtcd(): void {
    const client = `http://127.0.0.1:${this.#etcdPort}`
    const peer = `http://127.0.0.1:${this.#etcdPeerPort}`
    this.#spawn(
      'etcd',
      [
        ...['--name', 'one', '--data-dir', join(this.#folder, 'etcd'), '--initial-cluster', `one=${peer}`],
        ...['--listen-client-urls', client, '--advertise-client-urls', client],
        ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ],
      'etcd',
    )
  }

  /** Patroni reads YAML, of which JSON is a part. */
  #configure({ name, port, restPort, folder }: Member): void {
    mkdirSync(folder)
    const rest = `127.0.0.1:${restPort}`
    const server = `127.0.0.1:${port}`
    const login = { username: 'postgres' }
    const configuration = {
      scope: 'benchwatch',
      name,
      restapi: { listen: rest, connect_address: rest },
      etcd3: { host: `127.0.0.1:${this.#etcdPort}` },
      bootstrap: {
        dcs: {
          // The shortest that Patroni recommends: a primary whose machine has died is replaced after 20 s.
          ...{ ttl: 20, loop_wait: 2, retry_timeout: 3 },
          // A primary that ends is replaced, not waited for.
          primary_start_timeout: 0,
          synchronous_mode: this.#isSynchronous,
          maximum_lag_on_failover: 1e9,
          postgresql: {
            use_pg_rewind: true,
            parameters: { wal_log_hints: 'on', max_connections: 150, wal_keep_size: '1GB' },
          },
        },
        initdb: [{ encoding: 'UTF8' }, { locale: 'C' }],
      },
      postgresql: {
        listen: server,
        connect_address: server,
        data_dir: join(folder, 'data'),
        bin_dir: findBinaries().folder,
        pgpass: join(folder, 'pgpass'),
        authentication: { superuser: login, replication: login, rewind: login },
        pg_hba: TRUST,
        parameters: { unix_socket_directories: folder },
        remove_data_directory_on_rewind_failure: true,
        remove_data_directory_on_diverged_timelines: true,
      },
    }
    writeFileSync(join(folder, 'patroni.json'), JSON.stringify(configuration))
    this.#own(folder)
  }

  #startProxies(): void {
    const servers = this.members.map(
      ({ name, port, restPort }) => `  server ${name} 127.0.0.1:${port} check port ${restPort}`,
    )
    const haproxy = join(this.#folder, 'haproxy.cfg')
    writeFileSync(
      haproxy,
      `defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
  retries 0
listen primary
  bind 127.0.0.1:${this.#haproxyPort}
  option httpchk GET /primary
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${servers.join('\n')}
`,
    )
    this.#spawn('haproxy', ['-db', '-f', haproxy], 'haproxy')
    const pgbouncer = join(this.#folder, 'pgbouncer.ini')
    const users = join(this.#folder, 'users.txt')
    writeFileSync(users, '"benchwatch_requests" ""\n')
    writeFileSync(
      pgbouncer,
      `[databases]
benchwatch = host=127.0.0.1 port=${this.#haproxyPort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${this.#pgbouncerPort}
unix_socket_dir =
auth_type = trust
auth_file = ${users}
pool_mode = transaction
server_login_retry = 1
query_wait_timeout = 2
`,
    )
    this.#spawn('pgbouncer', [pgbouncer], 'pgbouncer')
  }

  #spawn(name: (typeof programs)[number], args: readonly string[], logName: string): ChildProcess {
    const log = createWriteStream(join(this.#folder, `${logName}.log`), { flags: 'a' })
    const child = spawn(findInstalledProgram(name) ?? name, args, {
      ...this.#user,
      cwd: this.#folder,
      env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C.UTF-8' },
      // Ctrl-C at the terminal reaches only the script, which ends its processes in order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child.stdout.pipe(log)
    child.stderr.pipe(log)
    this.#running.add(child)
    child.once('exit', () => this.#running.delete(child))
    return child
  }

  /** Everything belongs to the user that PostgreSQL runs as. */
  #own(folder: string): void {
    if (!('uid' in this.#user)) return
    for (const path of [folder, ...readdirSync(folder).map((name) => join(folder, name))])
      chownSync(path, this.#user.uid, this.#user.gid)
  }

  /** Ends Patroni first, so that it starts nothing again. */
  async #stop(): Promise<void> {
    for (const member of this.members) this.kill(member, { withPatroni: true })
    const ended = [...this.#running].map((child) => new Promise((resolve) => child.once('exit', resolve)))
    for (const child of this.#running) child.kill('SIGKILL')
    await Promise.all(ended)
    for (const member of this.members) this.kill(member, { withPatroni: false })
  }
}

/** Returns null if PostgreSQL of this member has never run or has ended in order. */
function postmasterOf({ folder }: Member): number | null {
  const file = join(folder, 'data', 'postmaster.pid')
  if (!existsSync(file)) return null
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0])
  // The file outlives a killed server, whose number another process may have by now.
  const place = `/proc/${pid}/cwd`
  return existsSync(place) && readlinkSync(place) === join(folder, 'data') ? pid : null
}

function superuserUrl({ port }: Member, database = 'benchwatch'): string {
  return `postgres://postgres@127.0.0.1:${port}/${database}`
}
