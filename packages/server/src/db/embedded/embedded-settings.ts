import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Suffix of the socket file; nothing listens on TCP. */
export const SOCKET_PORT = 5432

const MB = 1024 * 1024
/** Docker gives /dev/shm 64 MB by default, which one parallel query can fill. */
const SMALL_SHM_MB = 256

interface SettingsInput {
  socketDir: string
  /** False only in tests: a crash of the machine then loses the database. */
  fsync: boolean
}

/**
 * Returns the settings of the server, as name=value. They are passed at each start instead of being written to
 * postgresql.conf, so that an update of the product also changes them for existing directories.
 */
export function serverSettings({ socketDir, fsync }: SettingsInput): string[] {
  return [
    // The server is reachable only through a socket in a private folder: no port can be in use, and no password is
    // needed.
    'listen_addresses=',
    `port=${SOCKET_PORT}`,
    `unix_socket_directories=${socketDir}`,
    'unix_socket_permissions=0700',
    'max_connections=60',
    `shared_buffers=${sharedBuffersMb(totalmem() / MB)}MB`,
    'work_mem=32MB',
    'maintenance_work_mem=128MB',
    'random_page_cost=1.1',
    'jit=off',
    ...(hasSmallShm() ? ['dynamic_shared_memory_type=mmap'] : []),
    'timezone=UTC',
    'log_timezone=UTC',
    'log_line_prefix=',
    // A failed statement reaches the program as an error; in the log it would reveal texts and keys of customers.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'log_checkpoints=off',
    ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
}

/** An eighth of the memory, between 128 MB and 1 GB: the figures were measured with 1 GB, and Node needs its share. */
function sharedBuffersMb(memoryMb: number): number {
  return Math.round(Math.min(1024, Math.max(128, memoryMb / 8)))
}

function hasSmallShm(): boolean {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return (bsize * blocks) / MB < SMALL_SHM_MB
  } catch {
    // macOS has no /dev/shm and needs none.
    return process.platform === 'linux'
  }
}
