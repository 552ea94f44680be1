// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBundler3} from "./interfaces/IBundler3.sol";
import {QuoteMarket} from "./QuoteMarket.sol";

/// @title Takes quotes only for the account that started the bundle. A reference for development; not audited.
/// @notice Accounts can make this contract their operator. Never do so with a bundler, because anyone can make calls through it.
contract BundlerAdapter {
    error NotBundler();

    IBundler3 public immutable bundler;
    QuoteMarket public immutable quoteMarket;

    constructor(IBundler3 bundler_, QuoteMarket quoteMarket_) {
        bundler = bundler_;
        quoteMarket = quoteMarket_;
    }

    /// @notice Takes the whole quote for the bundle's initiator, who pays and must have made this contract an operator.
    /// @param maxCost The maximum amount that the initiator is willing to pay.
    function takeQuote(QuoteMarket.Quote calldata quote, bytes calldata signature, uint256 maxCost)
        external
        returns (uint256 positionId)
    {
        if (msg.sender != address(bundler)) revert NotBundler();
        return quoteMarket.takeQuoteFor(quote, signature, maxCost, bundler.initiator());
    }
}
