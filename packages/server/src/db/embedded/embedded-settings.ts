import { statfsSync } from 'node:fs'
import { totalmem } from 'node:os'

/** Suffix of the socket file; nothing listens on TCP. */
export const SOCKET_PORT = 5432

const MB = 1024 * 1024
/** Docker gives /dev/shm 64 MB by default, which one parallel query can fill. */
const SMALL_SHM_MB = 256

interface Wanted {
  socketDir: string
  /** False only for tests: a crash of the machine then loses the database. */
  fsync: boolean
}

/**
 * Settings of the server, as name=value. They are given at each start rather than written to postgresql.conf, so that an
 * update of the product changes them for existing directories too.
 */
export function serverSettings({ socketDir, fsync }: Wanted): string[] {
  return [
    // Reached through a socket in a private folder only: no port to be taken, no password to be kept.
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
    // A failed statement reaches the program as an error; in the log it would leave texts and keys of customers.
    'log_error_verbosity=terse',
    'log_min_error_statement=panic',
    'log_checkpoints=off',
    ...(fsync ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
}

/** An eighth of the memory, from 128 MB to 1 GB: the figures were measured with 1 GB, and node needs its share. */
function sharedBuffersMb(memoryMb: number): number {
  return Math.round(Math.min(1024, Math.max(128, memoryMb / 8)))
}

function hasSmallShm(): boolean {
  try {
    const { bsize, blocks } = statfsSync('/dev/shm')
    return (bsize * blocks) / MB < SMALL_SHM_MB
  } catch {
    // macOS has none, and needs none.
    return process.platform === 'linux'
  }
}
