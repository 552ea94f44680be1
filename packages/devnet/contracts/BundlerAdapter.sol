// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IBundler3} from "./interfaces/IBundler3.sol";
import {QuoteMarket} from "./QuoteMarket.sol";

/// @title Takes quotes for the account that started the bundle, and for no other. A reference for development; not audited.
/// @notice An account can make this contract its operator, which it must never do with a bundler: everyone can call through that.
contract BundlerAdapter {
    error NotBundler();

    IBundler3 public immutable bundler;
    QuoteMarket public immutable quoteMarket;

    constructor(IBundler3 bundler_, QuoteMarket quoteMarket_) {
        bundler = bundler_;
        quoteMarket = quoteMarket_;
    }

    /// @notice Takes the whole quote for the bundle's initiator, who pays and must have made this contract its operator.
    /// @param maxCost The most that the initiator is willing to pay.
    function takeQuote(QuoteMarket.Quote calldata quote, bytes calldata signature, uint256 maxCost)
        external
        returns (uint256 positionId)
    {
        if (msg.sender != address(bundler)) revert NotBundler();
        return quoteMarket.takeQuoteFor(quote, signature, maxCost, bundler.initiator());
    }
}
