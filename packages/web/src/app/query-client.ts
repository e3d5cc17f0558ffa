import { QueryClient } from '@tanstack/react-query'
import { asksAgain } from '../lib/http.ts'

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      // `always`: a machine without internet still reaches a server in its own network.
      queries: { retry: (failures, error) => failures < 2 && asksAgain(error), networkMode: 'always', staleTime: 5000 },
      mutations: { retry: false, networkMode: 'always' },
    },
  })
}
