// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {IMorphoIrm, Market, MarketParams} from "../interfaces/IMorphoBlue.sol";

/// @title A rate model whose borrow APR rises linearly with utilisation. For development only.
contract LinearIrm is IMorphoIrm {
    uint256 private constant WAD = 1e18;

    /// @notice The APR at zero utilisation, WAD.
    uint256 public constant BASE_APR = 0.01e18;

    /// @notice The APR added at full utilisation, WAD.
    uint256 public constant SLOPE_APR = 0.07e18;

    /// @inheritdoc IMorphoIrm
    function borrowRate(MarketParams memory params, Market memory state) external pure returns (uint256) {
        return borrowRateView(params, state);
    }

    /// @inheritdoc IMorphoIrm
    function borrowRateView(MarketParams memory, Market memory state) public pure returns (uint256) {
        uint256 utilisation =
            state.totalSupplyAssets == 0 ? 0 : state.totalBorrowAssets * WAD / state.totalSupplyAssets;
        return (BASE_APR + SLOPE_APR * utilisation / WAD) / 365 days;
    }
}
