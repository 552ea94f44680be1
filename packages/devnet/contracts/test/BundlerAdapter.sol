// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ReferenceBundler} from "../mocks/ReferenceBundler.sol";
import {QuoteMarket} from "../QuoteMarket.sol";

/// @title Takes quotes for the account that started the bundle, and for no other. For tests.
/// @notice An account can make this contract its operator, which it must never do with a bundler: everyone can call through that.
contract BundlerAdapter {
    error NotBundler();

    ReferenceBundler public immutable bundler;
    QuoteMarket public immutable quoteMarket;

    constructor(ReferenceBundler bundler_, QuoteMarket quoteMarket_) {
        bundler = bundler_;
        quoteMarket = quoteMarket_;
    }

    function takeQuote(QuoteMarket.Quote calldata quote, bytes calldata signature, uint256 maxCost)
        external
        returns (uint256 positionId)
    {
        if (msg.sender != address(bundler)) revert NotBundler();
        return quoteMarket.takeQuoteFor(quote, signature, maxCost, bundler.initiator());
    }
}
