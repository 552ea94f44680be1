import type { BaseError } from '@firmquote/sdk'
import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ServiceQuery } from './queries.ts'

type Options<Data, Selected, ErrorType> = Pick<
  UseQueryOptions<Data, ErrorType, Selected, readonly unknown[]>,
  | 'gcTime'
  | 'meta'
  | 'notifyOnChangeProps'
  | 'refetchInterval'
  | 'refetchIntervalInBackground'
  | 'refetchOnMount'
  | 'refetchOnReconnect'
  | 'refetchOnWindowFocus'
  | 'retry'
  | 'retryDelay'
  | 'select'
  | 'staleTime'
  | 'throwOnError'
>

/** Parameters of every hook that reads. */
export type QueryParameter<Data, Selected = Data, ErrorType = BaseError> = {
  /**
   * Options of TanStack Query. `select` determines the type of `data`. `enabled: false` disables the query, as does a
   * missing parameter.
   */
  query?: (Options<Data, Selected, ErrorType> & { enabled?: boolean | undefined }) | undefined
}

/** Runs a query with a hook's options, once its parameters are known. */
export function useServiceQuery<Data, Selected = Data>(
  options: ServiceQuery<Data>,
  query: QueryParameter<Data, Selected>['query'],
  isKnown = true,
): UseQueryResult<Selected, BaseError> {
  return useQuery({ ...options, ...query, enabled: isKnown && query?.enabled !== false })
}
