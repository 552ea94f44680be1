/** Not built yet. */
export function AuctionView({ rfqId }: { rfqId: string }) {
  return <h1>Auction {rfqId}</h1>
}
