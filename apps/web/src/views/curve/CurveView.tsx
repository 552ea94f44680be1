import { useQuery } from '@tanstack/react-query'
import { poolsQuery } from '../../service/queries.ts'
import { useService } from '../../service/serviceContext.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ViewHead } from '../../ui/ViewHead.tsx'
import { PoolCurve } from './PoolCurve.tsx'

/** The yield curve: what a fixed rate costs at each maturity, as far as somebody stands ready to give it. */
export function CurveView() {
  const { client } = useService()
  const pools = useQuery(poolsQuery(client))
  return (
    <>
      <ViewHead title="Yield curve">
        The best fixed rate for each maturity, beside the floating rate that it would replace. Only terms that hold
        right now are shown.
      </ViewHead>
      <Loaded query={pools} what="the pools" rows={6}>
        {([first, ...rest]) =>
          first ? (
            <PoolCurve pools={[first, ...rest]} />
          ) : (
            <EmptyState title="There are no pools yet">As soon as the chain has one, its curve stands here.</EmptyState>
          )
        }
      </Loaded>
    </>
  )
}
