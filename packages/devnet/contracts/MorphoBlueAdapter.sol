// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Math} from "@openzeppelin/contracts/utils/math/Math.sol";
import {SafeCast} from "@openzeppelin/contracts/utils/math/SafeCast.sol";

import {IMorphoBlue, IMorphoIrm, Market, MarketParams} from "./interfaces/IMorphoBlue.sol";
import {IRateAdapter} from "./interfaces/IRateAdapter.sol";

/// @title Rate adapter for Morpho Blue. `market` is Morpho's market id. A reference for development; not audited.
/// @dev Computes pending interest exactly as Morpho does when it accrues, so that values match Morpho's. The index is the price
/// of a borrow share. It returns to its initial value when a market's last debt is repaid.
contract MorphoBlueAdapter is IRateAdapter {
    using SafeCast for uint256;

    uint256 private constant WAD = 1e18;
    uint256 private constant RAY = 1e27;

    /// @dev Morpho's virtual shares and assets, which prevent share inflation. They are part of every conversion.
    uint256 private constant VIRTUAL_SHARES = 1e6;
    uint256 private constant VIRTUAL_ASSETS = 1;

    /// @notice The Morpho Blue contract.
    IMorphoBlue public immutable morpho;

    constructor(IMorphoBlue morphoBlue) {
        morpho = morphoBlue;
    }

    /// @inheritdoc IRateAdapter
    function ratePerSec(bytes32 market) external view returns (uint256) {
        (Market memory state, MarketParams memory params) = _accrued(market);
        return _borrowRate(params, state);
    }

    /// @inheritdoc IRateAdapter
    function index(bytes32 market) external view returns (uint256) {
        (Market memory state,) = _accrued(market);
        return Math.mulDiv(
            state.totalBorrowAssets + VIRTUAL_ASSETS, RAY * VIRTUAL_SHARES, state.totalBorrowShares + VIRTUAL_SHARES
        );
    }

    /// @inheritdoc IRateAdapter
    function debtOf(bytes32 market, address borrower) external view returns (uint256) {
        (Market memory state,) = _accrued(market);
        return Math.mulDiv(
            morpho.position(market, borrower).borrowShares,
            state.totalBorrowAssets + VIRTUAL_ASSETS,
            state.totalBorrowShares + VIRTUAL_SHARES,
            Math.Rounding.Ceil
        );
    }

    /// @dev Returns the market's state as Morpho's accrueInterest would leave it in this block. Takes the same code path if no
    /// interest is pending, so that a gas estimate from one block is sufficient in the next.
    function _accrued(bytes32 market) private view returns (Market memory state, MarketParams memory params) {
        state = morpho.market(market);
        if (state.lastUpdate == 0) revert MarketNotFound(market);
        params = morpho.idToMarketParams(market);

        uint256 elapsed = block.timestamp - state.lastUpdate;
        uint256 interest = state.totalBorrowAssets * _compounded(_borrowRate(params, state), elapsed) / WAD;
        state.totalBorrowAssets += interest.toUint128();
        state.totalSupplyAssets += interest.toUint128();
        if (state.fee != 0) {
            uint256 fee = interest * state.fee / WAD;
            uint256 assetsBeside = state.totalSupplyAssets - fee + VIRTUAL_ASSETS;
            state.totalSupplyShares +=
                Math.mulDiv(fee, state.totalSupplyShares + VIRTUAL_SHARES, assetsBeside).toUint128();
        }
        state.lastUpdate = uint128(block.timestamp);
    }

    /// @dev A market without a rate model accrues no interest.
    function _borrowRate(MarketParams memory params, Market memory state) private view returns (uint256) {
        return params.irm == address(0) ? 0 : IMorphoIrm(params.irm).borrowRateView(params, state);
    }

    /// @dev Approximates e^(rate * elapsed) - 1 with the first three terms of its Taylor series, each rounded down, as Morpho does.
    function _compounded(uint256 rate, uint256 elapsed) private pure returns (uint256) {
        uint256 first = rate * elapsed;
        uint256 second = first * first / (2 * WAD);
        uint256 third = second * first / (3 * WAD);
        return first + second + third;
    }
}
