// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMorphoIrm, Market, MarketParams} from "../interfaces/IMorphoBlue.sol";

/// @title A rate model whose borrow rate is constant. For tests.
contract ConstantIrm is IMorphoIrm {
    /// @dev WAD per second.
    uint256 private immutable _rate;

    constructor(uint256 rate) {
        _rate = rate;
    }

    /// @inheritdoc IMorphoIrm
    function borrowRate(MarketParams memory, Market memory) external view returns (uint256) {
        return _rate;
    }

    /// @inheritdoc IMorphoIrm
    function borrowRateView(MarketParams memory, Market memory) external view returns (uint256) {
        return _rate;
    }
}
