import { QueryClient } from '@tanstack/react-query'
import { ApiError } from '../lib/http.ts'

/** Twice more for what may pass by itself; an answer that says no is final. */
function mayRetry(failures: number, error: Error): boolean {
  return failures < 2 && error instanceof ApiError && (error.status === 0 || error.status >= 500)
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: a machine without internet still reaches a server in its own network.
      queries: { retry: mayRetry, networkMode: 'always', staleTime: 5000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
