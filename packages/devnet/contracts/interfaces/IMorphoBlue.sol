// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

struct MarketParams {
    address loanToken;
    address collateralToken;
    address oracle;
    address irm;
    uint256 lltv;
}

struct Market {
    uint128 totalSupplyAssets;
    uint128 totalSupplyShares;
    uint128 totalBorrowAssets;
    uint128 totalBorrowShares;
    uint128 lastUpdate;
    uint128 fee;
}

struct MorphoPosition {
    uint256 supplyShares;
    uint128 borrowShares;
    uint128 collateral;
}

/// @title The Morpho Blue view functions that the adapter uses.
interface IMorphoBlue {
    function market(bytes32 id) external view returns (Market memory);

    function position(bytes32 id, address user) external view returns (MorphoPosition memory);

    function idToMarketParams(bytes32 id) external view returns (MarketParams memory);
}

/// @title A Morpho Blue interest rate model. Rates are in WAD per second.
interface IMorphoIrm {
    function borrowRate(MarketParams memory params, Market memory state) external returns (uint256);

    function borrowRateView(MarketParams memory params, Market memory state) external view returns (uint256);
}
